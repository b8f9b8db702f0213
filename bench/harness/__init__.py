"""The measuring programme behind `bench/run` and `bench/compare`; standard library only."""
