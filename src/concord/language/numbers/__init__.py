"""Numbers in texts: in digits, spelled, with their scales and units."""
