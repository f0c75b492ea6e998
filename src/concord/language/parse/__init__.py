"""Parsers: each file is a plug-in with a class `Parser` that turns texts into trees."""
