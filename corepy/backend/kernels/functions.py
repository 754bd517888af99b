"""Elementary functions of float32 in WGSL, and of float64 in OpenCL C.

The functions of float32 use sums, products, and quotients and roots with a correction, for the
functions of devices are inaccurate. Compilers of WGSL may simplify sums, ``(a + b) - a`` to ``b``,
and take NaN and infinity to be absent, so that

- a number is split into two by its bits (`head`), never by sums;
- NaN, infinity and the order of numbers are found by bits;
- results that may be subnormal are rounded as integers (`packed`, `scaled`).

Polynomials are minimax fits with coefficients rounded one after the other. A comment states the
interval, and the largest relative error of the function that the polynomial is part of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_WGSL = """
fn from_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

fn magnitude(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) & 0x7fffffffu);
}

fn with_sign(x: f32, sign: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(sign) & 0x80000000u));
}

fn not_a_number(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn infinite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u;
}

fn is_zero(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) == 0u;
}

fn negative(x: f32) -> bool {
  return bitcast<u32>(x) > 0x7fffffffu;
}

// Integers in the order of numbers.
fn order(x: f32) -> i32 {
  let bits: i32 = bitcast<i32>(x);
  return select(bits, bits ^ 0x7fffffff, bits < 0);
}

// The 12 leading bits: products of two heads are exact.
fn head(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u);
}

// The same, rounded. Where both factors are heads of the same form, PoCL's compiler packs the two,
// and then cannot vectorize work items.
fn rounded_head(x: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(x) + 0x800u) & 0xfffff000u);
}

// |x| = significand * 2^exponent; the significand has 24 bits, or is 0.
fn significand(x: f32) -> u32 {
  let bits: u32 = bitcast<u32>(x) & 0x7fffffffu;
  let subnormal: bool = bits < 0x800000u;
  return select((bits & 0x7fffffu) | 0x800000u, (bits << (countLeadingZeros(bits) & 31u)) >> 8u,
    subnormal);
}

fn exponent_of(x: f32) -> i32 {
  let bits: u32 = bitcast<u32>(x) & 0x7fffffffu;
  let subnormal: bool = bits < 0x800000u;
  return select(i32(bits >> 23u) - 150, -141 - i32(countLeadingZeros(bits)), subnormal);
}

// m * 2^e rounded once, for m < 2^30, with the sign of a number.
fn packed(m: u32, e: i32, sign: f32) -> f32 {
  let last: i32 = max(e + 8 - i32(countLeadingZeros(m)), -149);
  let down: u32 = u32(clamp(last - e, 0, 31));
  let kept: u32 = m >> down;
  let rest: u32 = (m - (kept << down)) << 1u;
  let rounded: u32 = kept + select(0u, 1u, rest + (kept & 1u) > (1u << down));
  let whole: u32 = rounded << u32(clamp(e - last, 0, 31));
  let bits: u32 = select(whole + (u32(min(last, 104) + 149) << 23u), 0x7f800000u, last > 104);
  return with_sign(bitcast<f32>(select(bits, 0u, m == 0u)), sign);
}

// x * 2^n rounded once, for normal x; zeros and subnormal x are returned.
fn scaled(x: f32, n: i32) -> f32 {
  let bits: u32 = bitcast<u32>(x) & 0x7fffffffu;
  let field: i32 = i32(bits >> 23u) + n;
  // A subnormal number times 2^149 is an integer, which the sum with 2^23 has in its last bits.
  let raised: u32 = (bits & 0x7fffffu) | (u32(max(field, -60) + 149) << 23u);
  let small: u32 = bitcast<u32>(bitcast<f32>(raised) + 8388608.0f) - 0x4b000000u;
  let large: u32 = select(bits + (bitcast<u32>(n) << 23u), 0x7f800000u, field > 254);
  let result: u32 = select(large, small, field < 1);
  return with_sign(bitcast<f32>(select(result, bits, bits < 0x800000u)), x);
}

// a / b to 2^-34, then rounded, for normal a and b whose products are normal.
fn quotient(a: f32, b: f32) -> f32 {
  let inverse: f32 = 1.0f / b;
  let q: f32 = head(a * inverse);
  let above: f32 = rounded_head(b);
  return q + ((a - q * above) - q * (b - above)) * inverse;
}

// The square root to 2^-34, then rounded, for normal x and 0.
fn root(x: f32) -> f32 {
  let s: f32 = sqrt(x);
  let above: f32 = head(s);
  return select(above + (x - above * above) / (s + above), x, is_zero(x));
}

// e^r - 1 - r on [-0.3475, 0.3475], of e^r to 2^-28.
fn exp_tail(r: f32) -> f32 {
  return (r * r) * (0.5f + r * (0.166665331f + r * (0.0416672491f + r * (0.00836762041f
    + r * 0.00138631358f))));
}

// Powers beyond e^-200 and e^200 are 0 and infinity in all uses.
fn exp_bounded(x: f32) -> f32 {
  return select(select(200.0f, x, x < 200.0f), -200.0f, x < -200.0f);
}

// The nearest integer, or next to it in the middle between two, of x on [-512, 2^22].
fn nearest(x: f32) -> i32 {
  return i32(x + 512.5f) - 512;
}

// e^x = 2^k e^r
fn exp_exponent(x: f32) -> i32 {
  return nearest(exp_bounded(x) * 1.44269502f);
}

// e^r - 1 for x = high + low
fn exp_rest(high: f32, low: f32) -> f32 {
  let k: f32 = f32(exp_exponent(high + low));
  let r: f32 = (exp_bounded(high) - k * 0.693115234375f) + (low - k * 3.19461833e-5f);
  return r + exp_tail(r);
}

// e^(high + low) * 2^n; a low part of -0 costs nothing.
fn exp_scaled(high: f32, low: f32, n: i32) -> f32 {
  return scaled(1.0f + exp_rest(high, low), exp_exponent(high + low) + n);
}

// The power of two is applied in two steps, the first of which rounds nothing.
fn exp_f32(x: f32) -> f32 {
  let y: f32 = select(select(89.0f, x, x < 89.0f), -104.0f, x < -104.0f);
  let n: i32 = nearest(y * 1.44269502f);
  let k: f32 = f32(n);
  let r: f32 = (y - k * 0.693115234375f) - k * 3.19461833e-5f;
  let part: i32 = n >> 1u;
  let first: f32 = bitcast<f32>(u32(part + 127) << 23u);
  let second: f32 = bitcast<f32>(u32(n - part + 127) << 23u);
  return select((1.0f + (r + exp_tail(r))) * first * second, x, not_a_number(x));
}

fn expm1_f32(x: f32) -> f32 {
  let y: f32 = select(select(100.0f, x, x < 100.0f), -20.0f, x < -20.0f);
  let n: i32 = nearest(y * 1.44269502f);
  let k: f32 = f32(n);
  let reduced: f32 = y - k * 0.693115234375f;
  let r: f32 = reduced - k * 3.19461833e-5f;
  let above: f32 = head(r);
  let below: f32 = (reduced - above) - k * 3.19461833e-5f;
  // (e^r - 2^-n) * 2^n
  let one: f32 = 1.0f - bitcast<f32>(u32(127 - min(n, 126)) << 23u);
  let result: f32 = scaled((one + above) + (below + exp_tail(r)), n);
  return select(result, x, magnitude(x) < 2.9e-8f || not_a_number(x));
}

// log(1 + f) - f on [-0.293, 0.4143], of the logarithm to 2^-30.3.
fn log_tail(f: f32) -> f32 {
  return (f * f) * (f * (0.333333135f + f * (-0.250000089f + f * (0.200020745f + f * (-0.166680008f
    + f * (0.142202809f + f * (-0.124058694f + f * (0.11883828f + f * (-0.116728365f
    + f * 0.067521356f)))))))) - 0.5f);
}

// log((1 + f) * 2^k)
fn log_sum(f: f32, k: f32) -> f32 {
  let above: f32 = head(f);
  return (k * 0.693115234375f + above) + ((f - above) + (log_tail(f) + k * 3.19461833e-5f));
}

// Positive x is m * 2^k with m on [0.707, 1.414]: the bits of m, from those of x.
fn log_exponent(x: f32) -> i32 {
  let bits: u32 = bitcast<u32>(x);
  let subnormal: bool = bits < 0x800000u;
  let normal: u32 = select(bits, bitcast<u32>(f32(bits)), subnormal);
  return ((bitcast<i32>(normal) - 0x3f3504f3) >> 23u) - select(0, 149, subnormal);
}

fn log_significand(x: f32) -> f32 {
  let bits: u32 = bitcast<u32>(x);
  let normal: u32 = select(bits, bitcast<u32>(f32(bits)), bits < 0x800000u);
  return bitcast<f32>(normal - ((normal - 0x3f3504f3u) & 0xff800000u));
}

// log(x * 2^k) of positive x
fn log_of(x: f32, k: i32) -> f32 {
  return log_sum(log_significand(x) - 1.0f, f32(log_exponent(x) + k));
}

// log(x) * (high + low), where log(2) * (high + low) is two + two_low; high and two are heads.
fn log_times(x: f32, high: f32, low: f32, two: f32, two_low: f32) -> f32 {
  let f: f32 = log_significand(x) - 1.0f;
  let k: f32 = f32(log_exponent(x));
  let square: f32 = 0.5f * f * f;
  let above: f32 = head(f - square);
  let below: f32 = ((f - above) - square) + (log_tail(f) + square);
  let product: f32 = above * high;
  let sum: f32 = head(k * two + product);
  return sum + (((k * two - sum) + product) + (above * low + below * (high + low) + k * two_low));
}

// A logarithm's special values, or its value of positive finite x.
fn log_special(x: f32, value: f32) -> f32 {
  let bits: u32 = bitcast<u32>(x);
  let other: f32 = from_bits(select(0x7fc00000u, bits, bits == 0x7f800000u));
  return select(select(value, other, bits >= 0x7f800000u), from_bits(0xff800000u), is_zero(x));
}

fn log_f32(x: f32) -> f32 {
  return log_special(x, log_of(x, 0));
}

fn log2_f32(x: f32) -> f32 {
  return log_special(x, log_times(x, 1.44287109375f, -1.76052854e-4f, 1.0f, 0.0f));
}

fn log10_f32(x: f32) -> f32 {
  let y: f32 = log_times(x, 0.434326171875f, -3.16899714e-5f, 0.301025390625f, 4.60503907e-6f);
  return log_special(x, y);
}

fn log1p_f32(x: f32) -> f32 {
  let sum: f32 = 1.0f + x;
  let k: i32 = log_exponent(sum);
  let scale: f32 = bitcast<f32>(u32(127 - clamp(k, -30, 30)) << 23u);
  let f: f32 = select((scale - 1.0f) + scale * x, log_significand(sum) - 1.0f, k > 30);
  let result: f32 = log_special(sum, log_sum(f, f32(k)));
  return select(result, x, magnitude(x) < 2.9e-8f || not_a_number(x));
}

// The high half of a product.
fn high_product(a: u32, b: u32) -> u32 {
  let low: u32 = (a & 0xffffu) * (b & 0xffffu);
  let mixed: u32 = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let other: u32 = (a & 0xffffu) * (b >> 16u) + (mixed & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (mixed >> 16u) + (other >> 16u);
}

// sin(r) - r on [-0.786, 0.786], of the sine to 2^-32.5.
fn sine_tail(r: f32) -> f32 {
  let z: f32 = r * r;
  return (r * z) * (-0.166666672f + z * (0.00833338033f + z * (-1.98534995e-4f
    + z * 2.83727604e-6f)));
}

// cos(r) on [-0.786, 0.786] to 2^-33.1.
fn cosine(r: f32) -> f32 {
  let z: f32 = r * r;
  let above: f32 = head(0.5f * z);
  let tail: f32 = z * z * (0.0416666456f + z * (-0.00138873013f + z * 2.44306684e-5f));
  return (1.0f - above) + (tail - (0.5f * z - above));
}

fn sin_f32(x: f32) -> f32 {
  REDUCE
  let odd: f32 = above + (below + sine_tail(r));
  let even: f32 = cosine(r);
  let value: f32 = select(odd, even, (n & 1u) == 1u);
  let directed: f32 = bitcast<f32>(bitcast<u32>(value) ^ ((n & 2u) << 30u));
  let result: f32 = select(directed, x, magnitude(x) < 2.0e-4f);
  return select(result, from_bits(0x7fc00000u), undefined);
}

fn cos_f32(x: f32) -> f32 {
  REDUCE
  let odd: f32 = above + (below + sine_tail(r));
  let even: f32 = cosine(r);
  let value: f32 = select(even, odd, (n & 1u) == 1u);
  let directed: f32 = bitcast<f32>(bitcast<u32>(value) ^ (((n + 1u) & 2u) << 30u));
  return select(directed, from_bits(0x7fc00000u), undefined);
}

fn tan_f32(x: f32) -> f32 {
  REDUCE
  let z: f32 = r * r;
  // tan(r) on [-0.786, 0.786] to 2^-29.3
  let tail: f32 = below + (r * z) * (0.333333522f + z * (0.13332583f + z * (0.0540686511f
    + z * (0.0212386101f + z * (0.0109455436f + z * (-4.61866366e-5f + z * 0.00444182893f))))));
  let value: f32 = above + tail;
  let t: f32 = head(value);
  let inverse: f32 = -1.0f / value;
  let q: f32 = head(inverse);
  let turned: f32 = q + ((1.0f + q * t) + q * ((above - t) + tail)) * inverse;
  let result: f32 = select(select(value, turned, (n & 1u) == 1u), x, magnitude(x) < 2.0e-4f);
  return select(result, from_bits(0x7fc00000u), undefined);
}

// asin(s) / s - 1 of z = s^2 on [0, 0.25], of asin to 2^-31.6.
fn asin_tail(z: f32) -> f32 {
  return z * (0.166666597f + z * (0.0750052109f + z * (0.0445136353f + z * (0.0318360515f
    + z * (0.0143292267f + z * 0.03767303f)))));
}

// base + base_low + factor acos(a) / 2 on [0.5, 1], by acos(a) = 2 asin(sqrt((1 - a) / 2))
fn acos_upper(a: f32, factor: f32, base: f32, base_low: f32) -> f32 {
  let z: f32 = 0.5f * (1.0f - a);
  let s: f32 = sqrt(z);
  let above: f32 = head(s);
  let rest: f32 = select((z - above * above) / (s + above), 0.0f, is_zero(z));
  return (base + factor * above) + (base_low + factor * (rest + s * asin_tail(z)));
}

fn asin_f32(x: f32) -> f32 {
  let a: f32 = magnitude(x);
  let lower: f32 = a + a * asin_tail(a * a);
  let upper: f32 = acos_upper(a, -2.0f, 1.57079637f, -4.37113883e-8f);
  let result: f32 = select(select(upper, lower, a < 0.5f), a, a < 2.0e-4f);
  return select(with_sign(result, x), from_bits(0x7fc00000u), bitcast<u32>(a) > 0x3f800000u);
}

fn acos_f32(x: f32) -> f32 {
  let a: f32 = magnitude(x);
  let left: bool = negative(x);
  let outer: f32 = acos_upper(a, select(2.0f, -2.0f, left), select(0.0f, 3.14159274f, left),
    select(0.0f, -8.74227766e-8f, left));
  let middle: f32 = 1.57079637f - (x + (x * asin_tail(a * a) + 4.37113883e-8f));
  let result: f32 = select(outer, middle, a < 0.5f);
  return select(result, from_bits(0x7fc00000u), bitcast<u32>(a) > 0x3f800000u);
}

// atan(t) on [0, 1] to 2^-28.5.
fn atan_unit(t: f32) -> f32 {
  let z: f32 = t * t;
  let tail: f32 = (t * z) * (-0.333332986f + z * (0.199985296f + z * (-0.142640159f
    + z * (0.109508783f + z * (-0.0839928761f + z * (0.0578807853f + z * (-0.0310960375f
    + z * (0.0108679626f + z * -0.00178260636f))))))));
  return select(t + tail, t, t < 2.0e-4f);
}

// base + base_low + angle
fn turned(base: f32, base_low: f32, angle: f32) -> f32 {
  let above: f32 = head(angle);
  return (base + above) + (base_low + (angle - above));
}

fn atan_f32(x: f32) -> f32 {
  let a: f32 = select(1.0e18f, magnitude(x), magnitude(x) < 1.0e18f);
  let large: bool = a > 1.0f;
  let t: f32 = atan_unit(select(a, quotient(1.0f, a), large));
  let result: f32 = select(t, turned(1.57080078125f, -4.45445494e-6f, -t), large);
  return select(with_sign(result, x), x, not_a_number(x));
}

fn divide_f32(x: f32, y: f32) -> f32 {
  // 26 or 27 bits of the quotient, from below, and whether there are more.
  let a: u32 = significand(x);
  let b: u32 = significand(y);
  let q: u32 = u32(f32(a) / f32(b) * 67108864.0f) - 64u;
  let near: i32 = bitcast<i32>((a << 26u) - q * b);
  let step: u32 = u32(f32(near) / f32(b));
  let r: u32 = bitcast<u32>(near) - step * b;
  let below: bool = bitcast<i32>(r) < 0;
  let above: bool = bitcast<i32>(r) >= bitcast<i32>(b);
  let whole: u32 = q + step + select(select(0u, 1u, above), 0xffffffffu, below);
  let exact: bool = r == 0u || r == b || r + b == 0u;
  let m: u32 = (whole << 1u) | select(1u, 0u, exact);
  let sign: f32 = bitcast<f32>((bitcast<u32>(x) ^ bitcast<u32>(y)) & 0x80000000u);
  let result: f32 = packed(m, exponent_of(x) - exponent_of(y) - 27, sign);
  let none: bool = is_zero(x) || infinite(y);
  let all: bool = is_zero(y) || infinite(x);
  let extreme: f32 = from_bits(select(0u, 0x7f800000u, all));
  let special: f32 = with_sign(select(result, extreme, none || all), sign);
  let undefined: bool = (none && all) || not_a_number(x) || not_a_number(y);
  return select(special, from_bits(0x7fc00000u), undefined);
}

fn atan2_f32(y: f32, x: f32) -> f32 {
  let across: f32 = magnitude(x);
  let up: f32 = magnitude(y);
  let steep: bool = order(up) > order(across);
  let ratio: f32 = divide_f32(select(up, across, steep), select(across, up, steep));
  let t: f32 = select(ratio, select(1.0f, 0.0f, is_zero(y)), order(up) == order(across));
  let angle: f32 = atan_unit(t);
  let toward: f32 = select(-angle, angle, steep && negative(x));
  let outer: f32 = turned(select(3.1416015625f, 1.57080078125f, steep),
    select(-8.90890988e-6f, -4.45445494e-6f, steep), toward);
  let result: f32 = with_sign(select(outer, angle, !steep && !negative(x)), y);
  return select(result, from_bits(0x7fc00000u), not_a_number(x) || not_a_number(y));
}

fn sinh_f32(x: f32) -> f32 {
  let a: f32 = magnitude(x);
  let z: f32 = a * a;
  // sinh on [0, 1] to 2^-31.5
  let lower: f32 = a + (a * z) * (0.166666672f + z * (0.00833331142f + z * (1.98426351e-4f
    + z * 2.78392577e-6f)));
  let power: f32 = exp_scaled(a, -0.0f, -1);
  let upper: f32 = select(power, power - 0.25f / power, a < 20.0f);
  let result: f32 = select(select(upper, lower, a < 1.0f), a, a < 2.0e-4f);
  return select(with_sign(result, x), x, not_a_number(x));
}

fn cosh_f32(x: f32) -> f32 {
  let a: f32 = magnitude(x);
  let z: f32 = a * a;
  // cosh on [0, 1] to 2^-29.7
  let lower: f32 = 1.0f + (0.5f * z + z * z * (0.0416667536f + z * (0.00138847856f
    + z * 2.54015704e-5f)));
  let power: f32 = exp_scaled(a, -0.0f, -1);
  let upper: f32 = select(power, power + 0.25f / power, a < 20.0f);
  return select(select(upper, lower, a < 1.0f), x, not_a_number(x));
}

fn tanh_f32(x: f32) -> f32 {
  let a: f32 = magnitude(x);
  let z: f32 = a * a;
  // tanh on [0, 0.632] to 2^-32.1
  let lower: f32 = a + (a * z) * (-0.333333313f + z * (0.133332163f + z * (-0.0539472848f
    + z * (0.0217007846f + z * (-0.00817271788f + z * 0.0021353066f)))));
  let upper: f32 = 1.0f - quotient(2.0f, 1.0f + exp_scaled(select(20.0f, 2.0f * a, a < 10.0f),
    -0.0f, 0));
  let result: f32 = select(select(upper, lower, a < 0.63f), a, a < 2.0e-4f);
  return select(with_sign(result, x), x, not_a_number(x));
}

fn asinh_f32(x: f32) -> f32 {
  let a: f32 = magnitude(x);
  let z: f32 = a * a;
  // asinh on [0, 1] to 2^-30.8
  let lower: f32 = a + (a * z) * (-0.166666597f + z * (0.0749970451f + z * (-0.0445991904f
    + z * (0.0300599206f + z * (-0.0209882818f + z * (0.0135744344f + z * (-0.0070076976f
    + z * (0.00238996581f + z * -3.86012136e-4f))))))));
  let large: bool = a > 4096.0f;
  let s: f32 = root(z + 1.0f);
  let sum: f32 = select(a + s, a, large);
  let k: i32 = log_exponent(sum);
  let scale: f32 = bitcast<f32>(u32(127 - clamp(k, 0, 20)) << 23u);
  let f: f32 = select((scale * a - 1.0f) + scale * s, log_significand(sum) - 1.0f, large);
  let upper: f32 = log_sum(f, f32(k + select(0, 1, large)));
  let result: f32 = select(select(upper, lower, a < 1.0f), a, a < 2.0e-4f);
  return select(with_sign(result, x), x, bitcast<u32>(a) >= 0x7f800000u);
}

fn acosh_f32(x: f32) -> f32 {
  let t: f32 = x - 1.0f;
  // acosh(1 + t) / sqrt(2 t) on [0, 1] to 2^-31.5
  let factor: f32 = t * (-0.083333306f + t * (0.0187492799f + t * (-0.00557387155f
    + t * (0.00187066256f + t * (-6.31265342e-4f + t * (1.75150592e-4f + t * -2.67909181e-5f))))));
  let large: bool = x > 4096.0f;
  let near: bool = t < 1.0f;
  let s: f32 = root(select(x * x - 1.0f, 2.0f * t, near));
  let upper: f32 = log_of(select(x + s, x, large), select(0, 1, large));
  let result: f32 = select(upper, s + s * factor, near);
  let bits: u32 = bitcast<u32>(x);
  let other: f32 = from_bits(select(0x7fc00000u, bits, bits == 0x7f800000u));
  return select(result, other, bits < 0x3f800000u || bits >= 0x7f800000u);
}

fn atanh_f32(x: f32) -> f32 {
  let a: f32 = magnitude(x);
  let z: f32 = a * a;
  // atanh on [0, 0.5] to 2^-32.8
  let lower: f32 = a + (a * z) * (0.333333373f + z * (0.199996233f + z * (0.142977402f
    + z * (0.109306812f + z * (0.105146013f + z * (0.0173106268f + z * 0.184671417f))))));
  let upper: f32 = 0.5f * log_of(quotient(1.0f + a, 1.0f - a), 0);
  let result: f32 = select(select(upper, lower, a < 0.5f), a, a < 2.0e-4f);
  let other: f32 = from_bits(select(0x7fc00000u, 0x7f800000u, bitcast<u32>(a) == 0x3f800000u));
  return with_sign(select(result, other, bitcast<u32>(a) >= 0x3f800000u), x);
}

fn sqrt_f32(x: f32) -> f32 {
  // The integer next to the root of m 2^23; the remainder is less than 2^31.
  let e: i32 = exponent_of(x) - 23;
  let m: u32 = significand(x) << u32(e & 1);
  let s: u32 = u32(sqrt(f32(m)) * 2896.30938f);
  let near: i32 = bitcast<i32>((m << 23u) - s * s);
  let t: u32 = s + bitcast<u32>(nearest(f32(near) * 0.5f / f32(s)));
  let rest: i32 = bitcast<i32>((m << 23u) - t * t);
  let size: i32 = bitcast<i32>(t);
  let rounded: u32 = t + bitcast<u32>(select(0, 1, rest > size) - select(0, 1, rest <= -size));
  let result: u32 = rounded + (bitcast<u32>((e >> 1u) + 149) << 23u);
  let bits: u32 = bitcast<u32>(x);
  let other: u32 = select(0x7fc00000u, bits, bits == 0x7f800000u);
  return from_bits(select(select(result, other, bits >= 0x7f800000u), bits, is_zero(x)));
}

fn reciprocal_f32(x: f32) -> f32 {
  return divide_f32(1.0f, x);
}

fn round_f32(x: f32) -> f32 {
  // Halves go to even integers.
  let whole: f32 = trunc(x);
  let rest: f32 = magnitude(x - whole);
  let odd: bool = magnitude(whole - 2.0f * trunc(0.5f * whole)) == 1.0f;
  let up: bool = rest > 0.5f || (rest == 0.5f && odd);
  let rounded: f32 = with_sign(select(whole, whole + with_sign(1.0f, x), up), x);
  return select(x, rounded, magnitude(x) < 8388608.0f);
}

fn floor_f32(x: f32) -> f32 {
  return floor(x);
}

fn ceil_f32(x: f32) -> f32 {
  return ceil(x);
}

fn trunc_f32(x: f32) -> f32 {
  return trunc(x);
}

fn spacing_f32(x: f32) -> f32 {
  let bits: u32 = bitcast<u32>(x) & 0x7fffffffu;
  let field: u32 = max(bits >> 23u, 1u);
  let step: u32 = select(1u << ((field - 1u) & 31u), (field - 23u) << 23u, field > 23u);
  let size: u32 = select(step, 0x7f800000u, bits == 0x7f7fffffu);
  let result: f32 = bitcast<f32>(size | select(0u, bitcast<u32>(x) & 0x80000000u, bits > 0u));
  return select(result, from_bits(0x7fc00000u), bits >= 0x7f800000u);
}

// factor / (1 + e^-(high + low)), for |factor| of 2^-60 to 2^60
fn times_logistic(factor: f32, high: f32, low: f32) -> f32 {
  let h: f32 = select(-120.0f, high, high > -120.0f);
  let below: bool = h < 0.0f;
  // both terms times 2^-64, where the result may be subnormal
  let one: f32 = select(1.0f, 5.42101086e-20f, below);
  let power: f32 = exp_scaled(-h, select(0.0f, -low, high > -120.0f), select(0, -64, below));
  let greater: f32 = select(one, power, below);
  let sum: f32 = one + power;
  let above: f32 = rounded_head(sum);
  let inverse: f32 = 1.0f / sum;
  let q: f32 = head(factor * inverse);
  let rest: f32 = (greater - above) + select(power, one, below);
  let result: f32 = q + ((factor - q * above) - q * rest) * inverse;
  return with_sign(select(result, scaled(result, -64), below), factor);
}

fn sigmoid_f32(x: f32) -> f32 {
  return select(times_logistic(1.0f, x, 0.0f), x, not_a_number(x));
}

// A product of x and a factor that goes to 0 and 1.
fn activation_limits(x: f32, value: f32) -> f32 {
  let bits: u32 = bitcast<u32>(x);
  let other: f32 = from_bits(select(0x80000000u, bits, not_a_number(x) || bits < 0x80000000u));
  return select(other, value, magnitude(x) < 200.0f);
}

fn silu_f32(x: f32) -> f32 {
  return activation_limits(x, times_logistic(x, x, 0.0f));
}

fn gelu_tanh_f32(x: f32) -> f32 {
  // x * logistic(x * c), c = 2 sqrt(2 / pi) (1 + 0.044715 x^2)
  let xh: f32 = head(x);
  let xl: f32 = x - xh;
  let square: f32 = xh * xh;
  let rest: f32 = xl * (x + xh);
  let zh: f32 = head(square + rest);
  let zl: f32 = (square - zh) + rest;
  let product: f32 = zh * 0.07135009765625f;
  let ch: f32 = head(1.595703125f + product);
  let cl: f32 = ((1.595703125f - ch) + product) + (6.59966026e-5f + (zh * 4.71861631e-6f
    + zl * 0.0713548139f));
  let value: f32 = times_logistic(x, xh * ch, xh * cl + xl * (ch + cl));
  return activation_limits(x, value);
}

fn gelu_f32(x: f32) -> f32 {
  // On [-0.5, 0.5], x / 2 + x^2 p(x^2) to 2^-29.8
  let z: f32 = x * x;
  let small: f32 = x * (0.5f + x * (0.398942262f + z * (-0.0664894432f + z * (0.00996067468f
    + z * -0.0011212792f))));
  // The upper tail of the normal distribution is e^(-t^2 / 2) p / (t + 2), p a polynomial of
  // u = (t - 2) / (t + 2), on [0.5, 14.5] to 2^-28.8. t p / (t + 2) = above + below.
  let t: f32 = select(14.5f, magnitude(x), magnitude(x) < 14.5f);
  let d: f32 = t + 2.0f;
  let dh: f32 = head(d);
  let inverse: f32 = 1.0f / d;
  let sh: f32 = head(t * inverse);
  let sl: f32 = ((t - sh * dh) - sh * ((2.0f - dh) + t)) * inverse;
  let u: f32 = (2.0f * sh - 1.0f) + 2.0f * sl;
  let v: f32 = u * (-0.331404448f + u * (0.0287971888f + u * (0.0367186219f + u * (-4.65814112e-4f
    + u * (-0.00672942912f + u * (-0.00198055641f + u * (8.1832008e-4f + u * (9.23549873e-4f
    + u * (9.99733384e-5f + u * -2.41143527e-4f)))))))));
  let ph: f32 = head(0.67236328125f + v);
  let pl: f32 = (0.67236328125f - ph) + (v + 4.47249622e-5f);
  let above: f32 = head(sh * ph);
  let below: f32 = (sh * ph - above) + (sh * pl + sl * (ph + pl));
  let th: f32 = head(t);
  let tl: f32 = t - th;
  let high: f32 = -0.5f * th * th;
  let low: f32 = -0.5f * tl * (t + th);
  let rest: f32 = below + (above + below) * exp_rest(high, low);
  let tail: f32 = scaled(above + rest, exp_exponent(high + low));
  let large: f32 = select(t - tail, -tail, negative(x));
  let value: f32 = select(large, small, magnitude(x) < 0.5f);
  return select(activation_limits(x, value), x, magnitude(x) > 14.5f && !negative(x));
}

fn pow_f32(x: f32, y: f32) -> f32 {
  let a: f32 = magnitude(x);
  // |x| = m * 2^k with m on [0.72, 1.44]; f = m c - 1 is exact for c of a few bits.
  let bits: u32 = bitcast<u32>(a);
  let subnormal: bool = bits < 0x800000u;
  let normal: u32 = select(bits, bitcast<u32>(f32(bits)), subnormal);
  let m: f32 = bitcast<f32>(normal - ((normal - 0x3f3851ecu) & 0xff800000u));
  let k: i32 = ((bitcast<i32>(normal) - 0x3f3851ec) >> 23u) - select(0, 149, subnormal);
  let c: f32 = select(select(select(select(0.75f, 0.875f, m < 1.2308f), 1.0f, m < 1.0667f), 1.125f,
    m < 0.941f), 1.25f, m < 0.842f);
  let log_c: f32 = select(select(select(select(0.4150390625f, 0.192626953125f, m < 1.2308f), 0.0f,
    m < 1.0667f), -0.169921875f, m < 0.941f), -0.3218994140625f, m < 0.842f);
  let log_c_low: f32 = select(select(select(select(-1.56322119e-6f, 1.81248179e-5f, m < 1.2308f),
    0.0f, m < 1.0667f), -3.12644238e-6f, m < 0.941f), -2.86808245e-5f, m < 0.842f);
  let mh: f32 = head(m);
  let f: f32 = (mh * c - 1.0f) + (m - mh) * c;
  let fh: f32 = head(f);
  let square: f32 = 0.5f * fh * fh;
  // log(1 + f) - f + f^2 / 2 on [-0.1, 0.0942], of the logarithm to 2^-36
  let tail: f32 = (f * f * f) * (0.333333343f + f * (-0.250000089f + f * (0.199991181f
    + f * (-0.166628063f + f * (0.144717559f + f * -0.129274979f)))));
  let above: f32 = head(f - square);
  let below: f32 = ((f - above) - square) + (tail - 0.5f * (f - fh) * (f + fh));
  // log2(|x|) = lh + ll
  let base: f32 = f32(k) + log_c;
  let product: f32 = above * 1.44287109375f;
  let lh: f32 = head(base + product);
  let ll: f32 = ((base - lh) + product) + (below * 1.44269502f + (log_c_low
    + above * -1.76052854e-4f));
  // y log2(|x|) = n + r
  let size: f32 = magnitude(y);
  let bounded: f32 = with_sign(select(1.0e12f, size, size < 1.0e12f), y);
  let yh: f32 = head(bounded);
  let wh: f32 = yh * lh;
  let wl: f32 = yh * ll + (bounded - yh) * (lh + ll);
  let w: f32 = wh + wl;
  let inside: bool = magnitude(w) < 300.0f;
  let n: i32 = nearest(select(with_sign(300.0f, w), w, inside));
  let r: f32 = select(0.0f, ((wh - f32(n)) + wl) * 0.693147182f, inside);
  let power: f32 = scaled(1.0f + (r + exp_tail(r)), n);
  // 0 and infinity, signs, and what is not defined
  let falls: bool = is_zero(x) != negative(y);
  let extreme: f32 = from_bits(select(0x7f800000u, 0u, falls));
  let value: f32 = select(power, extreme, is_zero(x) || infinite(x));
  let whole: f32 = select(0.0f, y, size < 16777216.0f);
  let odd: bool = (i32(whole) & 1) == 1 && trunc(whole) == whole;
  let directed: f32 = select(value, -value, negative(x) && odd);
  let broken: bool = negative(x) && trunc(whole) != whole && !infinite(x) && !is_zero(x);
  let undefined: bool = broken || not_a_number(x) || not_a_number(y);
  let result: f32 = select(directed, from_bits(0x7fc00000u), undefined);
  return select(result, 1.0f, is_zero(y) || bitcast<u32>(x) == 0x3f800000u);
}

fn hypot_f32(x: f32, y: f32) -> f32 {
  let steep: bool = order(magnitude(y)) > order(magnitude(x));
  let a: f32 = select(magnitude(x), magnitude(y), steep);
  let b: f32 = select(magnitude(y), magnitude(x), steep);
  let n: i32 = select(select(0, -80, a > 1.0e18f), 80, a < 1.0e-12f);
  let scale: f32 = bitcast<f32>(u32(127 + n) << 23u);
  let u: f32 = a * scale;
  let v: f32 = b * scale;
  let result: f32 = scaled(root(u * u + v * v), -n);
  let any: bool = infinite(x) || infinite(y);
  let undefined: bool = not_a_number(x) || not_a_number(y);
  return select(select(result, from_bits(0x7fc00000u), undefined), from_bits(0x7f800000u), any);
}

fn logaddexp_f32(x: f32, y: f32) -> f32 {
  let ordered: bool = order(x) > order(y);
  let upper: f32 = select(y, x, ordered);
  let lower: f32 = select(x, y, ordered);
  let d: f32 = head(lower - upper);
  let e: f32 = exp_scaled(d, select(0.0f, (lower - d) - upper, d > -120.0f), 0);
  let doubled: bool = e > 0.4142f;
  let result: f32 = upper + log_sum(select(e, 0.5f * e - 0.5f, doubled), select(0.0f, 1.0f,
    doubled));
  let undefined: bool = not_a_number(x) || not_a_number(y);
  return select(select(result, upper, infinite(upper)), from_bits(0x7fc00000u), undefined);
}

// x - trunc(x / y) y, exactly.
fn fmod_f32(x: f32, y: f32) -> f32 {
  let b: u32 = significand(y);
  let whole: u32 = significand(x);
  let e: i32 = exponent_of(y);
  var left: i32 = exponent_of(x) - e;
  var r: u32 = select(whole, whole - b, whole >= b);
  let undefined: bool = is_zero(y) || infinite(x) || not_a_number(x) || not_a_number(y);
  let same: bool = left < 0 || is_zero(x) || infinite(y);
  left = select(left, 0, undefined || same);
  while (left > 0) {
    let k: u32 = u32(min(left, 22));
    let q: u32 = u32(f32(r) / f32(b) * f32(1u << k));
    r = (r << k) - q * b;
    r = select(r, r + b, bitcast<i32>(r) < 0);
    r = select(r, r + b, bitcast<i32>(r) < 0);
    r = select(r, r - b, r >= b);
    r = select(r, r - b, r >= b);
    left -= 22;
  }
  let result: f32 = select(packed(r, e, x), x, same);
  return select(result, from_bits(0x7fc00000u), undefined);
}

fn remainder_f32(x: f32, y: f32) -> f32 {
  let r: f32 = fmod_f32(x, y);
  let moved: f32 = select(r, r + y, negative(r) != negative(y));
  return select(select(moved, with_sign(r, y), is_zero(r)), r, not_a_number(r));
}

// A quotient that was rounded to an integer may be less than it, as the remainder tells.
fn floor_divide_f32(x: f32, y: f32) -> f32 {
  let r: f32 = fmod_f32(x, y);
  let plain: f32 = divide_f32(x, y);
  let whole: f32 = floor(plain);
  let near: bool = magnitude(r) + magnitude(r) > magnitude(y);
  let less: bool = near == (negative(x) == negative(y));
  let inexact: bool = !is_zero(r) && !not_a_number(r) && !infinite(y)
    && magnitude(plain) < 16777216.0f;
  return select(whole, whole - 1.0f, inexact && less && whole == plain);
}

fn copysign_f32(x: f32, y: f32) -> f32 {
  return with_sign(x, y);
}

fn nextafter_f32(x: f32, y: f32) -> f32 {
  let bits: u32 = bitcast<u32>(x);
  let away: bool = (order(y) > order(x)) != negative(x);
  let step: u32 = select(bits + select(0xffffffffu, 1u, away),
    (bitcast<u32>(y) & 0x80000000u) | 1u, is_zero(x));
  let same: bool = bits == bitcast<u32>(y) || (is_zero(x) && is_zero(y));
  let result: f32 = select(from_bits(step), y, same || not_a_number(y));
  return select(result, x, not_a_number(x));
}

fn maximum_f32(x: f32, y: f32) -> f32 {
  let other: bool = not_a_number(y) || order(y) > order(x);
  return select(x, y, other && !not_a_number(x));
}

fn minimum_f32(x: f32, y: f32) -> f32 {
  let other: bool = not_a_number(y) || order(y) < order(x);
  return select(x, y, other && !not_a_number(x));
}

fn fmax_f32(x: f32, y: f32) -> f32 {
  let other: bool = not_a_number(x) || order(y) > order(x);
  return select(x, y, other && !not_a_number(y));
}

fn fmin_f32(x: f32, y: f32) -> f32 {
  let other: bool = not_a_number(x) || order(y) < order(x);
  return select(x, y, other && !not_a_number(y));
}

fn heaviside_f32(x: f32, y: f32) -> f32 {
  let side: f32 = select(select(1.0f, 0.0f, negative(x)), x, not_a_number(x));
  return select(side, y, is_zero(x));
}

fn ldexp_f32(x: f32, y: f32) -> f32 {
  let n: f32 = select(with_sign(600.0f, y), y, magnitude(y) < 600.0f);
  let result: f32 = packed(significand(x), exponent_of(x) + i32(n), x);
  let plain: f32 = select(result, x, bitcast<u32>(magnitude(x)) >= 0x7f800000u);
  return select(plain, y, not_a_number(y));
}

fn round_fractions_f32(x: f32, y: f32) -> f32 {
  return divide_f32(round_f32(x * y), y);
}

fn round_multiples_f32(x: f32, y: f32) -> f32 {
  return round_f32(divide_f32(x, y)) * y;
}
"""

# x is n quarters of a turn, and above + below = r on [-0.786, 0.786]: 64 bits of the fraction of
# x 2 / pi, by a product of integers with the 96 bits of 2 / pi that matter.
_REDUCE = """let bits: u32 = bitcast<u32>(x) & 0x7fffffffu;
  let undefined: bool = bits >= 0x7f800000u;
  let place: u32 = max(bits >> 23u, 120u) - 120u;
  let word: u32 = place >> 5u;
  let shift: u32 = place & 31u;
  let w0: u32 = WORDS0;
  let w1: u32 = WORDS1;
  let w2: u32 = WORDS2;
  let w3: u32 = WORDS3;
  let m: u32 = (bits & 0x7fffffu) | 0x800000u;
  let p0: u32 = (w0 << shift) | ((w1 >> 1u) >> (31u - shift));
  let p1: u32 = (w1 << shift) | ((w2 >> 1u) >> (31u - shift));
  let p2: u32 = (w2 << shift) | ((w3 >> 1u) >> (31u - shift));
  let middle: u32 = m * p1 + high_product(m, p2);
  let top: u32 = m * p0 + high_product(m, p1) + select(0u, 1u, middle < m * p1);
  let plain: bool = bits < 0x3f490fdbu;
  let quarters: u32 = select((top + 0x20000000u) >> 30u, 0u, plain);
  let n: u32 = select(quarters, 0u - quarters, negative(x));
  let fraction: u32 = top - (quarters << 30u);
  let minus: bool = bitcast<i32>(fraction) < 0;
  let high: u32 = select(fraction, ~fraction + select(0u, 1u, middle == 0u), minus);
  let low: u32 = select(middle, 0u - middle, minus);
  let upper: f32 = f32(high & 0xfffff000u) * 9.31322575e-10f;
  let lower: f32 = f32((high << 20u) | (low >> 12u)) * 8.8817842e-16f;
  let turn: f32 = head(upper + lower);
  let product: f32 = turn * 1.57080078125f;
  let rest: f32 = turn * -4.45445494e-6f + ((upper - turn) + lower) * 1.57079637f;
  let size: f32 = select(product + rest, magnitude(x), plain);
  let first: f32 = head(size);
  let second: f32 = select((product - first) + rest, size - first, plain);
  let flip: u32 = (bitcast<u32>(x) & 0x80000000u) ^ select(0u, 0x80000000u, minus && !plain);
  let above: f32 = bitcast<f32>(bitcast<u32>(first) ^ flip);
  let below: f32 = bitcast<f32>(bitcast<u32>(second) ^ flip);
  let r: f32 = bitcast<f32>(bitcast<u32>(size) ^ flip);"""

_WORDS = (0x0, 0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB)


def _word(k: int) -> str:
    """Return the expression of word `word + k` of 2 / pi, for words below 5."""
    text = f"0x{_WORDS[k]:08x}u"
    for first in range(1, 5):
        text = f"select({text}, 0x{_WORDS[first + k]:08x}u, word >= {first}u)"
    return text


for _k in range(4):
    _REDUCE = _REDUCE.replace(f"WORDS{_k}", _word(_k))

#: Name -> the source of a function, those that it needs before it.
FUNCTIONS = {
    re.findall(r"fn (\w+)", text)[0]: text
    for text in _WGSL.replace("REDUCE", _REDUCE).strip().split("\n\n")
}

_SAME = """exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh
atanh sqrt floor ceil trunc"""
_SAME_BINARY = "pow atan2 hypot copysign nextafter fmax fmin"

#: Operation -> an expression in OpenCL C of x, or of x and y.
_DOUBLE = {
    **{name: f"{name}(x)" for name in _SAME.split()},
    **{name: f"{name}(x, y)" for name in _SAME_BINARY.split()},
    "log1p": "fabs(x) < 1e-300 ? x : log1p(x)",  # drivers lose subnormal numbers
    "round": "rint(x)",
    "reciprocal": "1.0 / x",
    "spacing": "isfinite(x)"
    " ? copysign(nextafter(fabs(x), (f64)INFINITY) - fabs(x), x == 0 ? 1.0 : x) : x - x",
    # The derivative of erfc makes good for the rounding of its argument.
    "gelu": "x == -INFINITY ? -0.0 : x == INFINITY ? x"
    " : 0.5 * x * (erfc(-x * M_SQRT1_2) + M_2_SQRTPI"
    " * exp(-0.5 * x * x) * (fma(x, M_SQRT1_2, -(x * M_SQRT1_2)) - x * 4.833646656726457e-17))",
    # w = x c is rounded twice; d is what that leaves.
    "gelu_tanh": "const f64 z = x * x, p = 0.07135481627260025 * z;"
    " const f64 c = 1.5957691216057308 + p, b = c - p, w = x * c;"
    " const f64 d = fma(x, c, -w) + x * ((1.5957691216057308 - b) + (p - (c - b))"
    " + fma(0.07135481627260025, z, -p) + 0.07135481627260025 * fma(x, x, -z)"
    " - 9.96930880911092e-17 - 6.175149918155315e-19 * z);"
    " const f64 e = exp(0.5 * w);"
    " return x > 40 ? x : x < -40 ? -0.0 : x < -10 ? x * (1.0 + d) * e * e"
    " : x / (1.0 + exp(-w) * (1.0 - d));",
    "sigmoid": "x < -40 ? exp(x) : 1.0 / (1.0 + exp(-x))",
    "silu": "x == -INFINITY ? -0.0 : x < -40 ? x * exp(0.5 * x) * exp(0.5 * x)"
    " : x / (1.0 + exp(-x))",
    "divide": "x / y",
    "logaddexp": "x == y ? x + M_LN2 : isnan(x - y) ? x - y"
    " : fmax(x, y) + log1p(exp(-fabs(x - y)))",
    "remainder": "const f64 r = fmod(x, y);"
    " return r == 0 ? copysign(0.0, y) : (r < 0) != (y < 0) ? r + y : r;",
    "floor_divide": "const f64 r = fmod(x, y), plain = x / y, whole = floor(plain);"
    " const bool less = (fabs(r) + fabs(r) > fabs(y)) == (signbit(x) == signbit(y));"
    " const bool inexact = r != 0 && !isnan(r) && !isinf(y) && fabs(plain) < 0x1p53;"
    " return inexact && less && whole == plain ? whole - 1.0 : whole;",
    "maximum": "isnan(x) ? x : isnan(y) ? y : x == y ? (signbit(x) ? y : x) : fmax(x, y)",
    "minimum": "isnan(x) ? x : isnan(y) ? y : x == y ? (signbit(x) ? x : y) : fmin(x, y)",
    "heaviside": "x == 0 ? y : x < 0 ? 0.0 : x > 0 ? 1.0 : x",
    "ldexp": "isnan(y) ? y : ldexp(x, (int)clamp(y, -5000.0, 5000.0))",
    "round_fractions": "rint(x * y) / y",
    "round_multiples": "rint(x / y) * y",
}


def _double(name: str, text: str) -> str:
    second = ", f64 y" if re.search(r"\by\b", text) else ""
    body = text if "return" in text else f"return {text};"
    return f"f64 {name}_f64(f64 x{second}) {{ {body} }}"


#: Name -> the source of a function of float64 in OpenCL C.
DOUBLE = {f"{name}_f64": _double(name, text) for name, text in _DOUBLE.items()}


#: The same for devices whose quotients and square roots are correctly rounded.
ROUNDED = {
    name: f"fn {name}({parameters}) -> f32 {{\n  return {text};\n}}"
    for name, parameters, text in (
        ("quotient", "a: f32, b: f32", "a / b"),
        ("root", "x: f32", "sqrt(x)"),
        ("sqrt_f32", "x: f32", "sqrt(x)"),
        ("divide_f32", "x: f32, y: f32", "x / y"),
    )
}


def sources(names: Iterable[str], rounded: bool = False) -> str:
    """Return the sources of functions, ``exp_f32`` or ``exp_f64``, and of those that they need.

    `rounded` is for devices whose quotients and square roots are correctly rounded.
    """
    functions = FUNCTIONS | DOUBLE | (ROUNDED if rounded else {})
    wanted = list(names)
    needed = set()
    while wanted:
        name = wanted.pop()
        if name not in needed:
            needed.add(name)
            wanted += re.findall(r"(\w+)\(", functions.get(name, ""))
    return "\n".join(text for name, text in functions.items() if name in needed)
