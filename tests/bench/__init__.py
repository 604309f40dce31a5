"""The benchmarks: every line of the design's targets, measured beside its peer in the same run.

What lives here: the harness (`run`), what it measures with (`measuring`, `processes`, `terminal`), where it
works (`place`, `corpora`), what is asked (`questions`), the peers (`peers`), one module a line of the table
(`lines`), and what must be measured in a process of its own (`workers`).

What may not: assertions. Nothing here gates anything; what can be counted instead of timed is a test.

Units: seconds inside, and a row names the unit it shows; bytes; MB and KB are 1,000,000 and 1,000 bytes.
Everything is made in a temporary place and taken away; a corpus that is named is only read.
"""
