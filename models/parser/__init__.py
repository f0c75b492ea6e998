"""The recipe of `concord-en`, the embedded English parser: `python -m models.parser DATA OUT`."""
