"""The options of a calibration."""

from collections.abc import Collection
from dataclasses import dataclass

from concord.errors import UnknownName, UserError
from concord.translators._fault_injection import FAULTS

KINDS = tuple(FAULTS)


@dataclass(frozen=True, slots=True)
class CalibrationTerms:
    """The proportion of clean cases that may be flagged, the kinds of faults, and the proportion of faulty answers."""

    accepted: float = 0.05
    kinds: Collection[str] = KINDS
    rate: float = 0.3

    def __post_init__(self) -> None:
        if not 0 <= self.accepted < 1:
            raise UserError(f"--false-alarms is a share from 0 to below 1, such as 0.05, not {self.accepted:g}")
        if not 0 < self.rate <= 1:
            raise UserError(f"--rate is the share of answers to spoil, above 0 and at most 1, not {self.rate:g}")
        if not self.kinds:
            raise UserError(f"name at least one kind of fault: {', '.join(KINDS)}")
        for kind in self.kinds:
            if kind not in KINDS:
                raise UnknownName("kind of fault to calibrate with", kind, KINDS)
