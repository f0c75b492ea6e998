"""How the weights of the sentence-to-expression grammar are made, from the benchmark NL-RX."""
