"""What every peer of the queue checks: all customers are served, and their mean time in the system is what theory says."""

from __future__ import annotations

from math import sqrt

from baselines.peers.programs import WrongResult

#: Our defaults: services take 1 on average, and the server is busy three quarters of the time.
CLIENTS = 10_000
UTILISATION = 0.75
MEAN_IN_SYSTEM = 1 / (1 - UTILISATION)
#: Standard deviation of the mean time in the system of one replication of CLIENTS, a little more than our rows have.
DEVIATION = 0.3


def tolerance_of(replications: int, clients: int) -> float:
    """Five standard deviations of the mean of all customers."""
    return 5 * DEVIATION / sqrt(replications * clients / CLIENTS)


def check(replications: int, served: int, mean_in_system: float, clients: int = CLIENTS) -> None:
    """Raises WrongResult unless the mean lies within five standard deviations."""
    if served != replications * clients:
        raise WrongResult(f"serves {served} of {replications * clients} customers")
    tolerance = tolerance_of(replications, clients)
    if abs(mean_in_system - MEAN_IN_SYSTEM) > tolerance:
        raise WrongResult(
            f"the mean time in the system is {mean_in_system:g}, not {MEAN_IN_SYSTEM:g} within {tolerance:.2g}"
        )


def verified(replications: int, clients: int = CLIENTS) -> str:
    tolerance = tolerance_of(replications, clients)
    return f"own check: all customers are served, mean time in the system {MEAN_IN_SYSTEM:g} within {tolerance:.2g}"


def axes(replications: int, clients: int = CLIENTS) -> dict[str, str]:
    """Our case of the same size."""
    return {"model": "mm1", "clients": str(clients), "replications": str(replications)}
