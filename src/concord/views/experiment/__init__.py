"""Tables, charts and a page of the pivot experiment."""
