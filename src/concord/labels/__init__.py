"""Labels that people give to cases: their storage, queues of cases to label, sheets, and agreement."""
