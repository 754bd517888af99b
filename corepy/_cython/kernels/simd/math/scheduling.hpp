// Included first where long computations are compiled. Loops process several vectors per iteration,
// but compilers emit the dependent instructions of one vector after the other, and the out-of-order
// window covers little more than one vector. This makes compilers interleave the vectors, as far as
// registers suffice.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("schedule-insns", "sched-pressure")
#endif
