"""Literals, which a translation must preserve: found in a text, and matched with those of its translation."""
