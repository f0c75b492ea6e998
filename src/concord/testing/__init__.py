"""Helpers for the tests of plug-ins: services that answer at once, and conformance tests.

from concord.testing import Table, TreeTable, now, check_parser, check_relation, check_translator

cases = now(rtt.check(Text("Hello", "en"), Table({("Hello", "es"): "Hola", ("Hola", "en"): "Hello"}), None, to="es"))
tree = now(TreeTable({"Cats sleep": "(ROOT (S (NP (NNS Cats)) (VP (VBP sleep))))"})(Text("Cats sleep", "en")))
check_relation("rtt")
check_translator(lambda: MyTranslator(), source="en", target="es")
check_parser(lambda: MyParser(), lang="en")
"""

from concord.testing._language import check_encoder, check_parser, check_substitutes
from concord.testing._relations import check_relation
from concord.testing._services import AnalysisTable, DependTable, HashedVectors, SubstituteTable, TreeTable, Untaught
from concord.testing._tables import Echo, Table, now
from concord.testing._translators import check_translator

__all__ = [
    "AnalysisTable",
    "DependTable",
    "Echo",
    "HashedVectors",
    "SubstituteTable",
    "Table",
    "TreeTable",
    "Untaught",
    "check_encoder",
    "check_parser",
    "check_relation",
    "check_substitutes",
    "check_translator",
    "now",
]
