"""Points to measure: dense, random, and known difficult ones."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import mpmath
import numpy as np

from .functions import Function


def _words(dtype):
    return np.uint32 if dtype == np.float32 else np.uint64


def random_bits(rng, dtype, count):
    """Finite numbers, every bit of which is drawn: all magnitudes alike."""
    word = _words(dtype)
    drawn = rng.integers(0, np.iinfo(word).max, 2 * count, dtype=word, endpoint=True).view(dtype)
    return drawn[np.isfinite(drawn)][:count]


def subnormal(rng, dtype, count):
    info = np.finfo(dtype)
    drawn = rng.integers(1, 1 << info.nmant, count).astype(_words(dtype)).view(dtype)
    return drawn * rng.choice(np.array([-1, 1], dtype=dtype), count)


def of_magnitudes(rng, dtype, count, low, high):
    """Both signs, evenly in the logarithm between 2^low and 2^high."""
    low, high = max(low, np.finfo(dtype).minexp), min(high, np.finfo(dtype).maxexp - 1e-9)
    # In longdouble, since 2^high need not be a number of the dtype.
    magnitude = np.exp2(rng.uniform(low, high, count).astype(np.longdouble))
    return (magnitude * rng.choice([-1, 1], count)).astype(dtype)


def near(rng, dtype, count, place):
    """The neighbours of a place, and points around it at distances of all magnitudes."""
    place = dtype(place)
    word = _words(dtype)
    bits = int(np.abs(place).view(word))
    steps = np.arange(-32, 33)
    neighbours = np.array([bits + s for s in steps if bits + s >= 0], dtype=word).view(dtype)
    neighbours = (
        np.copysign(neighbours, place) if place else np.concatenate([neighbours, -neighbours])
    )
    scale = max(abs(float(place)), np.finfo(dtype).tiny * 2.0**60) if place else 1.0
    smallest = -np.finfo(dtype).nmant - 2 if place else -60
    around = float(place) + scale * of_magnitudes(rng, np.float64, count, smallest, 0)
    return np.concatenate([neighbours, around.astype(dtype)])


@lru_cache(maxsize=4)
def nearest_to_multiples(dtype):
    """Those numbers of each binade that are nearest to multiples of pi / 2.

    m * 2^e is next to k * pi / 2 where m / k is next to (pi / 2) / 2^e: the best m below a bound
    are the denominators of the convergents of the continued fraction of 2^e / (pi / 2)
    (A. Khinchin, Continued Fractions, theorem 16; Muller, Elementary Functions, section 11.3.2).
    """
    info = np.finfo(dtype)
    digits = info.nmant + 1
    found = []
    with mpmath.workprec(1024 + 4 * digits + 64):
        inverse = 2 / mpmath.pi
        _sign, mantissa, exponent, _ = inverse._mpf_
        inverse = Fraction(int(mantissa)) * Fraction(2) ** exponent
    for exponent in range(-digits, info.maxexp - digits + 1):
        value = inverse * Fraction(2) ** exponent
        before, denominator = 0, 1
        rest = value - (value.numerator // value.denominator)
        last = []
        while denominator < 1 << digits and rest:
            last.append(denominator)
            rest = 1 / rest
            whole = rest.numerator // rest.denominator
            rest -= whole
            before, denominator = denominator, before + whole * denominator
        # Earlier convergents are the best of shorter numbers, which are in this binade, too.
        found += [np.ldexp(dtype(m), exponent) for m in last[-3:]]
    found = np.array(found, dtype=dtype)
    found = found[np.isfinite(found)]
    return np.concatenate([found, -found])


def next_to_multiples(rng, dtype, count):
    """Numbers around multiples of pi / 2, of all magnitudes."""
    digits = np.finfo(dtype).nmant + 1
    k = np.floor(np.exp2(rng.uniform(0, digits + 4, count)))
    # pi / 2 in two parts, so that the product has the digits of longdouble.
    half = np.longdouble(1.5707963267948966) + np.longdouble(6.123233995736766e-17)
    x = (k * half).astype(dtype)
    around = x * (1 + rng.choice([-1, 1], count) * np.exp2(rng.uniform(-digits, 0, count)))
    towards = rng.choice(np.array([-np.inf, np.inf], dtype=dtype), count)
    return np.concatenate([x, -x, np.nextafter(x, towards), around.astype(dtype)])


def singles(function: Function, dtype, count, rng):
    """About `count` arguments of a function of one operand."""
    low, high = function.magnitudes or (np.finfo(dtype).minexp, np.finfo(dtype).maxexp)
    parts = [
        random_bits(rng, dtype, count // 8),
        subnormal(rng, dtype, count // 16),
        of_magnitudes(rng, dtype, count // 4, low, high),
        *(
            rng.uniform(a, b, count // 4 // len(function.spans)).astype(dtype)
            for a, b in function.spans
        ),
        *(near(rng, dtype, count // 4 // len(function.near), place) for place in function.near),
        np.array([0.0, -0.0, np.inf, -np.inf, np.nan, np.finfo(dtype).max], dtype=dtype),
    ]
    if function.periodic:
        parts += [nearest_to_multiples(dtype), next_to_multiples(rng, dtype, count // 16)]
    x = np.concatenate(parts)
    return (np.abs(x) if function.positive else x,)


def _of_ratio(rng, dtype, count, widest):
    """Pairs of all magnitudes whose quotient is between 2^-widest and 2^widest."""
    info = np.finfo(dtype)
    x = of_magnitudes(rng, dtype, count, info.minexp - info.nmant // 2, info.maxexp)
    return x, np.ldexp(x, rng.integers(-widest, widest + 1, count)) * rng.uniform(
        -1, 1, count
    ).astype(dtype)


def _powers(rng, dtype, count):
    """Bases and exponents whose powers are not all 0, 1 or infinite."""
    info = np.finfo(dtype)
    # The logarithm of the result is spread evenly, up to where it overflows.
    logarithm = rng.uniform(1.05 * (info.minexp - info.nmant), 1.02 * info.maxexp, count)
    third = count // 3
    base = np.concatenate(
        [
            np.exp2(rng.uniform(info.minexp, info.maxexp - 1e-9, third)),
            1 + rng.choice([-1, 1], third) * np.exp2(rng.uniform(-info.nmant, -1, third)),
            rng.uniform(0, 10, count - 2 * third),
        ]
    ).astype(dtype)
    exponent = (logarithm / np.log2(base.astype(np.longdouble))).astype(dtype)
    tiny = rng.random(count) < 0.1
    exponent[tiny] *= np.exp2(rng.uniform(-60, 0, tiny.sum())).astype(dtype)
    whole = rng.random(count) < 0.2
    exponent[whole] = np.rint(exponent[whole])
    base[whole] *= rng.choice(np.array([-1, 1], dtype=dtype), whole.sum())
    return base, exponent


def pairs(function: Function, dtype, count, rng):
    """About `count` pairs of arguments of a function of two operands."""
    drawn = [
        (random_bits(rng, dtype, count // 8), random_bits(rng, dtype, count // 8)),
        (subnormal(rng, dtype, count // 16), subnormal(rng, dtype, count // 16)),
        tuple(rng.uniform(-2, 2, (2, count // 8)).astype(dtype)),
        _of_ratio(rng, dtype, count // 8, 2),
        _of_ratio(rng, dtype, count // 8, 60),
    ]
    special = np.array(
        [
            0.0,
            1.0,
            2.0,
            0.5,
            np.inf,
            np.nan,
            np.finfo(dtype).max,
            np.finfo(dtype).tiny,
            np.finfo(dtype).smallest_subnormal,
        ],
        dtype=dtype,
    )
    special = np.concatenate([special, -special])
    drawn.append(tuple(v.ravel() for v in np.meshgrid(special, special)))
    if function.name == "pow":
        drawn.append(_powers(rng, dtype, count // 2))
    if function.name == "logaddexp":
        large = tuple(rng.uniform(-750, 750, (2, count // 4)).astype(dtype))
        # exp(a) + exp(b) = 1: the result is next to 0.
        a = -np.exp2(rng.uniform(-50, 5, 300))
        drawn += [large, (a.astype(dtype), np.log(-np.expm1(a)).astype(dtype))]
        # Less and less close to that, from tiny ones on.
        info = np.finfo(dtype)
        a = -np.exp2(rng.uniform(0.97 * info.minexp, 0, 2000))
        a[:1500] = -np.exp2(rng.uniform(-60, 0, 1500))
        b = np.log(-np.expm1(a))
        b *= 1 + rng.choice([-1, 1], 2000) * np.exp2(rng.uniform(-info.nmant, -1, 2000))
        drawn.append((a.astype(dtype), b.astype(dtype)))
    return tuple(np.concatenate(column) for column in zip(*drawn, strict=True))


def points(function: Function, dtype, count, seed=0):
    """The arguments to measure a function at, the same ones for every instruction set."""
    rng = np.random.default_rng([seed, *function.name.encode(), np.dtype(dtype).itemsize])
    with np.errstate(all="ignore"):
        if function.operands == 1:
            return singles(function, dtype, count, rng)
        return pairs(function, dtype, count, rng)
