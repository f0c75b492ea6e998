"""Tables, charts and a page of quality without references."""
