"""The benchmarks: every line of the design's targets, measured beside its peer in the same run.

    python -m tests.bench                       everything, about a quarter of an hour
    python -m tests.bench search save           some lines
    python -m tests.bench --corpus ~/notes      on documents of one's own, which are only read
    python -m tests.bench --json report.json    with every value; --help says what else there is

What lives here: the harness (`run`), what it measures with (`measuring`, `processes`, `terminal`, `browser`),
where it works (`place`, `corpora`), what is asked (`questions`), what comes of it (`rows`), the peers (`fts5`,
some of the workers), one module a line of the table (`lines`), and what must be measured in a process of its
own (`workers`).

What may not: gates. Nothing that is timed here passes or fails; what can be counted instead is a test of its
room. `test_harness` is about the harness only.

Units: seconds inside, and a row names the unit it shows; bytes; MB and KB are 1,000,000 and 1,000 bytes.
Everything is made in a temporary place and taken away.
"""
