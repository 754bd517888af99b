// Included before everything else where long computations are compiled. A loop takes several
// vectors at once, whose instructions compilers leave one vector after the other; but a processor
// looks only some hundred instructions ahead, which is not much more than one vector's, each of
// which waits for the one before. This has them interleaved, as far as registers suffice.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("schedule-insns", "sched-pressure")
#endif
