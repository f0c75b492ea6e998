"""Apertium's data and programs: installed pairs, tagger, analyses, chunks and bilingual dictionaries."""
