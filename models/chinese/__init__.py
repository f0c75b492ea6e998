"""Chinese words that are used alike: the recipe of the table that `lexicon_zh` reads."""
