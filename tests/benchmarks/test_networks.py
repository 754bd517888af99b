"""Operations of neural networks are measured with the libraries that there are."""

from asv_benchmarks import networks, peers
from asv_benchmarks.timing import Effort


def test_cases():
    cases = networks.cases(1)
    assert {name.split(",")[0] for name in cases} >= {"softmax", "silu", "attention"}
    once = Effort(budget=0, turn=0, least=1, most=1)
    name = "attention, 12 x 128 x 64"
    times, wrong = peers.measure(cases[name], 1e-3, once)
    assert len(times["corepy"]) == 1
    assert wrong == ""
