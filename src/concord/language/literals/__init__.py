"""Literals, which a translation has to keep: found in a text, and matched with those of its translation."""
