"""Relations: what must hold between a system's answers. One file each, named after the relation."""
