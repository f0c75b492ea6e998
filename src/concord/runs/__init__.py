"""Runs: planned, estimated, executed, judged, summed up, and what a project file tells them."""
