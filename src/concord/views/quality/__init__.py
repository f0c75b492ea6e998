"""Quality without references, as tables, charts and a page."""
