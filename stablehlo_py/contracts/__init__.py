"""What each op of the dialect requires: its attributes, traits and constraints, an example, and which constraint a
diagnostic of the verifier is about."""

from .catalog import Attribute, Constraint, Contract, contract, contract_names
from .messages import violated_constraint

__all__ = ["Attribute", "Constraint", "Contract", "contract", "contract_names", "violated_constraint"]
