"""Chinese words, noun phrases and substitutes."""
