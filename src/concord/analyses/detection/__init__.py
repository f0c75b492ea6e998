"""How far a detector can be trusted: its scores against what people say, and the threshold to use it at."""
