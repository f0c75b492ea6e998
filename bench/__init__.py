"""Speed and size, measured as ratios with all sides in one run: `make bench`."""
