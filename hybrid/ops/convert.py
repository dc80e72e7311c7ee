"""Conversions between dtypes, and questions about dtypes."""
