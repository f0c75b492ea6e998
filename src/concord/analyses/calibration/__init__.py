"""How sensitive relations are on one system and language pair, by faults put into its answers, without any label."""
