"""One construct, one converter."""
