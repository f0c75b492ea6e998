"""Single questions become few full batches, sent with retry, rate limit and budget."""
