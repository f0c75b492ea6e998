"""The pivot experiment, as tables, charts and a page."""
