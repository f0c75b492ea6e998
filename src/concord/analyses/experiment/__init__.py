"""The Monte Carlo pivot experiment (Pesu et al., 2017 and 2018): systems compared over many detours."""

from concord.analyses.experiment.design import Design, design
from concord.analyses.experiment.plan import Asked, Experiment, read_experiment

__all__ = ["Asked", "Design", "Experiment", "design", "read_experiment"]
