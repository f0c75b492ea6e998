"""HTML pages that hold all they need."""
