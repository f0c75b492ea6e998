"""What people read, rendered only: terminal, pages, tables and charts."""
