"""Bridgecast on Apache Spark: forecasts, ranked trips and the cost of openings for tables of any length.

Columns go from Spark to the library as Arrow arrays, without a row in Python. Each row is answered with what was known at its
issue time; results depend on neither partitions nor batches.
"""
from ._jobs import ColumnError, forecast, opening_cost, rank, split
from ._records import Records

__all__ = ["ColumnError", "Records", "forecast", "opening_cost", "rank", "split"]
