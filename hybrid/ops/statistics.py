"""Quantiles, averages, covariances, histograms."""
