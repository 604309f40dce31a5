"""What is measured in a process of its own: `python -m tests.bench.workers.NAME …`, an answer in JSON.

A process of its own has its own memory and processor time, and starts cold. Each takes paths and numbers as
arguments and prints one JSON object; times in it are seconds, sizes bytes.
"""
