// Everything that a kernel is made of.
#pragma once

#include "arithmetic.cuh"
#include "bitwise.cuh"
#include "comparison.cuh"
#include "complex.cuh"
#include "division.cuh"
#include "elementary.cuh"
#include "elementwise.cuh"
#include "floating.cuh"
#include "power.cuh"
#include "rounding.cuh"
#include "selection.cuh"
#include "reduce.cuh"
#include "scan.cuh"
