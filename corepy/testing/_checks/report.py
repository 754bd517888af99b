"""What `check_backend` found."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Failure:
    """One call that a backend got wrong.

    Attributes
    ----------
    operation : str
        The operation, or the part of the contract.
    call : str
        The call, with dtypes and shapes.
    reason : str
        What is wrong.
    """

    operation: str
    call: str
    reason: str

    def __str__(self) -> str:
        return f"{self.call}: {self.reason}"


@dataclass
class Report:
    """The results of `check_backend`; printed, a summary with the first failures.

    Attributes
    ----------
    backend : str
        The name of the backend.
    operations, unsupported : list of str
        The operations that were checked, and those that the backend says it does not have.
    calls : int
        How many calls were made.
    failures : list of Failure
        Those that went wrong.
    seconds : float
        How long it took.
    """

    backend: str
    operations: list[str] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)
    calls: int = 0
    failures: list[Failure] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether there is no failure."""
        return not self.failures

    def raise_for_failures(self) -> None:
        """Raise AssertionError with the report if there is a failure."""
        if self.failures:
            raise AssertionError(str(self))

    def __str__(self) -> str:
        wrong: dict[str, list[Failure]] = {}
        for failure in self.failures:
            wrong.setdefault(failure.operation, []).append(failure)
        lines = [
            f"backend {self.backend!r}: {len(self.operations)} operations, {self.calls} calls, "
            f"{self.seconds:.1f} s: "
            + (f"{len(self.failures)} failures in {len(wrong)}" if wrong else "passed")
        ]
        if self.unsupported:
            lines.append(f"not supported by it: {', '.join(self.unsupported)}")
        for operation, failures in wrong.items():
            lines.append(f"  {operation}: {len(failures)} wrong")
            lines += [f"    {failure}" for failure in failures[:_SHOWN]]
        return "\n".join(lines)


#: Failures that are printed for each operation.
_SHOWN = 3
