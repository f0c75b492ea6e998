"""What is known of English: its lexicon, WordNet's meanings, inflection."""
