// Everything that a kernel is made of.
#pragma once

#include "arithmetic.cuh"
#include "elementwise.cuh"
