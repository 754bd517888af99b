"""The expressions of `fusion`: each is one function of a namespace and arrays, for all libraries.

They use only what NumPy, PyTorch, JAX and the standard spell alike. numexpr, which takes strings,
has its own spelling where it has one for the expression.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .cases.case import Case, row
from .cases.data import Shape, square

WIDTH = 64  # columns of the matrices with short rows


@dataclass(frozen=True)
class Expression(Case):
    """A case whose code calls a Python function."""

    compute: Callable[..., Any]
    numexpr: str

    @property
    def constants(self) -> dict:
        """The function, beside what every case has."""
        return super().constants | {"compute": self.compute}


EXPRESSIONS: list[Expression] = []


def expressions(sizes: list[int]) -> list[Expression]:
    """Return every expression at every size."""
    return [replace(each, size=size) for size in sizes for each in EXPRESSIONS]


def expression(
    dtype: str = "float64", numexpr: str = "", **data: str | tuple[str, Shape]
) -> Callable[[Callable], Callable]:
    """Add a function to `EXPRESSIONS`; `data` are its arrays, as with `cases.case.row`."""

    def add(compute: Callable) -> Callable:
        name = compute.__name__.replace("_", " ")
        [case] = row(name, f"compute(xp, {', '.join(data)})", dtypes=dtype, sizes=[1], **data)
        facts = vars(case) | {"group": "fusion"}
        EXPRESSIONS.append(Expression(**facts, compute=compute, numexpr=numexpr))
        return compute

    return add


def rows(n: int) -> tuple[int, int]:
    """Many short rows."""
    return (max(n // WIDTH, 2), WIDTH)


def one_row(n: int) -> tuple[int]:
    """One element for each column of `rows`."""
    return (WIDTH,)


def quarter(n: int) -> tuple[int]:
    """One axis of a quarter of the elements."""
    return (max(n // 4, 1),)


@expression(x="normal", numexpr="((((0.3 * x - 0.7) * x + 1.1) * x - 0.2) * x + 0.9) * x + 2.5")
def polynomial(xp, x):
    return ((((0.3 * x - 0.7) * x + 1.1) * x - 0.2) * x + 0.9) * x + 2.5


@expression(a="normal", b="normal", c="normal", d="normal", numexpr="2 * a + 3 * b * c - sin(d)")
def products_and_sine(xp, a, b, c, d):
    return 2 * a + 3 * b * c - xp.sin(d)


def normal_cdf(xp, x):
    """Approximate the distribution function of the normal distribution by a logistic one."""
    return 1.0 / (1.0 + xp.exp(-x * (1.5976 + 0.07056 * x * x)))


@expression(price="positive", strike="positive", years="positive")
def black_scholes(xp, price, strike, years):
    rate, volatility = 0.02, 0.3
    deviation = volatility * xp.sqrt(years)
    d1 = (xp.log(price / strike) + (rate + volatility**2 / 2) * years) / deviation
    discounted = strike * xp.exp(-rate * years)
    call = price * normal_cdf(xp, d1) - discounted * normal_cdf(xp, d1 - deviation)
    return call, call - price + discounted


@expression(p="normal", y="normal")
def mean_squared_error(xp, p, y):
    return xp.mean((p - y) ** 2)


@expression(x=("normal", rows))
def standardise_columns(xp, x):
    return (x - xp.mean(x, axis=0)) / xp.std(x, axis=0, correction=0)


@expression(x=("normal", rows))
def softmax_of_rows(xp, x):
    powers = xp.exp(x - xp.max(x, axis=1, keepdims=True))
    return powers / xp.sum(powers, axis=1, keepdims=True)


@expression(
    a="normal", b="normal",
    numexpr="where(a > b, where(a < 0, 0, where(a > 1, 1, a)), abs(b) / 2 + a)",
)  # fmt: skip
def where_of_clip(xp, a, b):
    return xp.where(a > b, xp.clip(a, 0, 1), xp.abs(b) / 2 + a)


@expression(
    lat1="fraction", lon1="fraction", lat2="fraction", lon2="fraction",
    numexpr="12742.0 * arcsin(sqrt(sin((lat2 - lat1) / 2) ** 2"
    " + cos(lat1) * cos(lat2) * sin((lon2 - lon1) / 2) ** 2))",
)  # fmt: skip
def haversine(xp, lat1, lon1, lat2, lon2):
    across = xp.sin((lat2 - lat1) / 2) ** 2
    along = xp.sin((lon2 - lon1) / 2) ** 2
    return 12742.0 * xp.asin(xp.sqrt(across + xp.cos(lat1) * xp.cos(lat2) * along))


@expression(u=("normal", square))
def laplace_step(xp, u):
    middle = u[1:-1, 1:-1]
    around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    return middle + 0.1 * (around - 4 * middle)


@expression(
    x=("normal", rows), point=("normal", one_row), numexpr="sum((x - point) ** 2, axis=1)"
)  # fmt: skip
def squared_distances(xp, x, point):
    return xp.sum((x - point) ** 2, axis=1)


@expression("float32", x="normal")
def gelu(xp, x):
    return 0.5 * x * (1.0 + xp.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


@expression(
    w="positive", x="normal", y="normal", z="normal",
    numexpr="sum(w / 2 * (x * x + y * y + z * z))",
)  # fmt: skip
def kinetic_energy(xp, w, x, y, z):
    return xp.sum(w / 2 * (x * x + y * y + z * z))


@expression(
    z=("fraction", quarter), c=("fraction", quarter), count=("zero", quarter)
)  # fmt: skip
def escape_steps(xp, z, c, count):
    for _ in range(8):
        z = z * z + c
        count = count + (z < 4)
    return z, count


@expression(u="unit")
def runge_kutta_step(xp, u):
    def growth(u):
        return 2.5 * u * (1.0 - u)

    h = 0.01
    k1 = growth(u)
    k2 = growth(u + h / 2 * k1)
    k3 = growth(u + h / 2 * k2)
    k4 = growth(u + h * k3)
    return u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@expression(p="normal", y="sign")
def logistic_loss(xp, p, y):
    return xp.mean(xp.log1p(xp.exp(-y * p)))


@expression(w="normal", g="normal", m="normal", v="unit")
def adam_step(xp, w, g, m, v):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return w - 0.01 * m / (xp.sqrt(v) + 1e-8), m, v


@expression(x="fraction", y="fraction")
def points_in_circle(xp, x, y):
    return xp.sum(x * x + y * y < 1.0)


@expression("float32", x=("normal", rows), gain=("unit", one_row), bias=("unit", one_row))
def layer_norm(xp, x, gain, bias):
    centred = x - xp.mean(x, axis=1, keepdims=True)
    variance = xp.mean(centred * centred, axis=1, keepdims=True)
    return centred / xp.sqrt(variance + 1e-5) * gain + bias


@expression(x="normal")
def second_difference(xp, x):
    return (x[2:] - 2 * x[1:-1] + x[:-2]) / 0.01


@expression(r2="positive")
def lennard_jones(xp, r2):
    ratio = 1.0 / r2
    sixth = ratio * ratio * ratio
    return xp.sum(4.0 * (sixth * sixth - sixth))
