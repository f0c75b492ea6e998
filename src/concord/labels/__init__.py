"""Labels: what people say of cases, queues of cases to label, sheets, and how far people agree."""
