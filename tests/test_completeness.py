"""kb.completeness: the facts a reviewer will ask for."""

from kb.completeness import ESSENTIAL, FURTHER, INSTEAD, WHY, State, missing_facts
from kb.evaluation import Evaluation
from kb.setup import keys

from .checks import record


def evaluation(fragment: str) -> Evaluation:
    found = record(fragment).record
    assert isinstance(found, Evaluation)
    return found


def test_every_fact_is_a_setup_key_with_a_reason() -> None:
    """So that `not_stated` and conditions can name it."""
    assert set(WHY) <= set(keys())
    assert {name for names in INSTEAD.values() for name in names} <= set(keys())
    assert set(INSTEAD) <= set(WHY)
    assert not set(ESSENTIAL) & set(FURTHER)
    assert all(WHY.values())


def test_an_empty_record_is_asked_for_everything_indispensable() -> None:
    """In the order of the list, indispensable facts first."""
    found = missing_facts(evaluation("arms: [{id: a, setup: {connector: {version: unknown}}}]"))
    assert {fact.key for fact in found if fact.essential} == set(ESSENTIAL) - {"transfer_library.version"}
    assert [fact.essential for fact in found] == sorted((fact.essential for fact in found), reverse=True)
    assert all(fact.state is State.ABSENT and fact.why == WHY.get(fact.key, fact.why) for fact in found)


def test_unknown_and_not_stated_are_one_state() -> None:
    """A value at the key, or the key on the list."""
    unknown = missing_facts(evaluation("setup: {model: unknown}"))
    listed = missing_facts(evaluation("not_stated: [model]"))
    assert next(fact.state for fact in unknown if fact.key == "model") is State.NOT_STATED
    assert [(fact.key, fact.state) for fact in unknown] == [(fact.key, fact.state) for fact in listed]


def test_a_whole_side_is_listed_once() -> None:
    """`both.X` answers for prefill and decode; one side answers for itself."""
    found = {fact.key: fact.state for fact in missing_facts(evaluation("not_stated: [both.block_size, decode.tp]"))}
    assert found["both.block_size"] is State.NOT_STATED
    assert (found["prefill.tp"], found["decode.tp"]) == (State.ABSENT, State.NOT_STATED)


def test_arms_that_lack_a_fact_are_named() -> None:
    """Unless all of them do."""
    fragment = "arms: [{id: a, setup: {model: m}}, {id: b}]"
    found = {fact.key: fact.arms for fact in missing_facts(evaluation(fragment))}
    assert found["model"] == ("b",)
    assert found["engine.version"] == ()


def test_an_arms_own_unknown_hides_the_common_value() -> None:
    """What the arm says of itself goes first."""
    fragment = "setup: {model: m}\narms: [{id: a, setup: {model: unknown}}, {id: b}]"
    found = {fact.key: fact for fact in missing_facts(evaluation(fragment))}
    assert (found["model"].state, found["model"].arms) == (State.NOT_STATED, ("a",))


def test_equal_records_are_asked_apart() -> None:
    """The answer belongs to the record, not to one that looks like it."""
    assert missing_facts(evaluation("title: A")) == missing_facts(evaluation("title: A"))
    assert missing_facts(evaluation("setup: {model: m}")) != missing_facts(evaluation("title: A"))


def test_an_empty_role_has_no_parts_to_ask_for() -> None:
    """A router that is not there has no dispatch order, a cache no version; an unnamed one is asked for."""
    pair = "setup: {topology: 1P1D%s}\narms: [{id: a, setup: {connector: {component: vllm-nixl-pull, mode: pull}}}]"
    said = {
        fact.key for fact in missing_facts(evaluation(pair % ", router: {component: none}, cache: {component: none}"))
    }
    silent = {fact.key for fact in missing_facts(evaluation(pair % ""))}
    assert {"router.name", "router.dispatch", "router.decoder_chosen"} <= silent
    assert not {key for key in said if key.startswith(("router.", "cache."))}
