"""How often words stand next to each other in English: the recipe of the table that the gate of substitutes asks."""
