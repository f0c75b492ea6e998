"""The recipe of the word vectors; CARD.md says what they are."""
