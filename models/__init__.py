"""The recipes that make the models Concord ships; nothing here is in the wheel."""
