"""kb.rivals: what an evaluation asks, without laying its arms over what they have in common."""

from __future__ import annotations

import pytest

from kb.config import shipped_config
from kb.evaluation import Arm, Evaluation
from kb.library import open_library
from kb.rivals import asks
from kb.setup import Connector, Setup, Side
from kb.vocabulary import NOTHING

PUSH, PULL, EMPTY = (Connector(component=name) for name in ("vllm-nixl-push", "vllm-nixl-pull", NOTHING))
SETUPS = [
    None,
    Setup(),
    Setup(connector=PUSH),
    Setup(connector=EMPTY),
    Setup(connector=Connector(class_name="NixlConnector")),
    Setup(connector=PULL, both=Side(connector=Connector(mode="push"))),
    Setup(prefill=Side(connector=PUSH), decode=Side(connector=EMPTY)),
    Setup(prefill=Side(tp=2), decode=Side(connector=PULL)),
]


def laid_over(evaluation: Evaluation) -> frozenset[str]:
    """The connectors of every arm's whole setup."""
    arms = [evaluation.arm_setup(arm) for arm in evaluation.arms] or [evaluation.setup or Setup()]
    pins = (pin for setup in arms for key, pin in setup.pins().items() if key.endswith("connector"))
    return frozenset(pin.component for pin in pins if pin.component)


@pytest.mark.parametrize("own", SETUPS, ids=repr)
@pytest.mark.parametrize("common", SETUPS, ids=repr)
def test_an_arm_goes_before_what_the_arms_have_in_common(common: Setup | None, own: Setup | None) -> None:
    """Role by role, an emptied one and a stated class without its component among them."""
    shipped = open_library(shipped_config()).evaluations["aws-push-vs-pull-efa"]
    for arms in ((), (Arm(id="a", setup=own),), (Arm(id="a", setup=own), Arm(id="b"))):
        evaluation = shipped.model_copy(update={"setup": common, "arms": arms})
        assert asks(evaluation) == (shipped.question, laid_over(evaluation))


def test_shipped_evaluations_ask_of_the_connectors_of_their_arms() -> None:
    """Most of them of two."""
    found = {each.id: asks(each) for each in open_library(shipped_config()).evaluations.values()}
    for evaluation in open_library(shipped_config()).evaluations.values():
        assert found[evaluation.id] == (evaluation.question, laid_over(evaluation))
    assert len(set(found.values())) > 10
