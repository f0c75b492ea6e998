"""Runs: the project file, and how runs are planned, estimated, executed, judged and summarised."""
