"""Given names, common in English texts; WordNet knows none. A name that both sexes bear stands nowhere."""

from __future__ import annotations

WOMEN = """
    Alice Amanda Amy Angela Anna Anne Barbara Catherine Charlotte Christine Claire Clara Diana Elena Elizabeth Ella
    Emily Emma Eva Fatima Fiona Grace Hannah Helen Helena Ingrid Irene Isabel Jane Jennifer Jessica Joan Judith Julia
    Karen Kate Laura Lena Linda Lisa Louise Lucy Margaret Maria Marie Martha Mary Michelle Monica Nadia Nancy Nicole
    Nina Nora Olga Olivia Patricia Paula Rachel Rebecca Rosa Ruth Sandra Sarah Silvia Sofia Sophie Susan Teresa
    Vanessa Vera Victoria
"""
MEN = """
    Adam Ahmed Alan Alexander Andrew Anthony Antonio Arthur Ben Benjamin Brian Carlos Charles Christopher Colin Daniel
    David Dennis Diego Edward Eric Felix Frank George Gregory Hans Harry Henry Hugo Hassan Ivan Jack Jacob James Jason
    John Jonathan Jorge Joseph Karl Keith Kevin Leo Louis Luis Marco Mark Martin Matthew Michael Miguel Mohammed
    Nicholas Oliver Omar Oscar Patrick Paul Pedro Peter Philip Richard Robert Roger Ryan Samuel Simon Stefan Stephen
    Steven Thomas Tim Tom Tony Victor Walter William
"""
