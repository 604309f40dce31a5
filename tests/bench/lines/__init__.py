"""The lines of the benchmarks: in each module `measure`, from the place of a run to the rows it shows."""
