"""What is known of languages: words, sentences, trees, numbers, and what Apertium and English bring along."""
