"""How far a detector can be trusted: its scores against labels, and which threshold to use."""
