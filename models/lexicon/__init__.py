"""The recipe of the lexicon that ships with Concord: WordNet and GloVe in, one compressed file out."""
