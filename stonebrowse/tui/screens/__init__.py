"""The screens of the browser: the main one, and those that stand over it for a moment.

A screen here composes widgets and hands messages on; what they mean is decided in the modules above.
"""
