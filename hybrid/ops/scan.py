"""Running sums, products and ufunc accumulations."""
