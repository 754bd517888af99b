// Chains: operations that are computed in vector registers, without intermediate stores, by code
// that is generated when a chain is first used. Code is generated in microseconds, from a fixed
// translation of each operation. Results equal those of the loops of the kernel table, bit for bit,
// except for the payload of NaNs.
//
// All values of a chain have elements of one size, 4 or 8 bytes, or are bool, or are halves, which
// are float32 in registers. Chains require x86-64 with AVX2 or AVX-512, and a system that permits
// executable memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assembler.hpp"

namespace corepy {

// Whether chains can be made: with the instruction set in use, and if the system permits it.
bool has_chains();

// Bytes of the elements of a loop's operands other than bool and halves: 4 or 8; 1 if all operands
// are bool, 0 if the loop cannot be part of a chain.
int chain_itemsize(kernel loop);

// How the elements of an operand are stored.
enum class Format : uint8_t { FULL, BOOL, FLOAT16, BFLOAT16 };

// The formats of a loop's operands of `itemsize` bytes, and of its result.
Format format_of_operand(kernel loop, ptrdiff_t itemsize);
Format format_of_result(kernel loop);

class Chain {
 public:
  static constexpr int MAX_OPERANDS = 128;
  static constexpr int MAX_CHAIN_STEPS = 250;
  static constexpr int VECTOR = 64;  // bytes of the largest vector
  // Bytes behind bools and halves that run() may read and write.
  static constexpr int PADDING = 32;

  // What an operand has one element for.
  enum Extent : uint8_t { EACH, ROW, ALL };

  explicit Chain(int itemsize);

  // Each adds a value and returns its number; `ahead`: the prefetch distance in bytes, or 0.
  int add_input(Format format, Extent extent, int ahead);
  int add_loop(kernel loop, const int* values);
  // Stores a value. Operands of outputs follow those of inputs. `streamed`: non-temporal stores.
  void add_output(int value, Format format, bool streamed);

  // Generates the code, or finds it in the cache. Throws std::bad_alloc.
  void translate();

  // Computes rows of n contiguous elements. `operands` are the addresses of inputs, then of
  // outputs, and are changed; `steps` are the distances of their rows in bytes. Streamed outputs
  // are aligned to VECTOR. Several rows of bools or halves are in memory of their own, with
  // PADDING.
  void run(ptrdiff_t rows, ptrdiff_t n, char** operands, const ptrdiff_t* steps) const;

  // Whether one more operation may be added.
  bool has_room() const { return steps.size() + 24 < size_t(MAX_CHAIN_STEPS); }

 private:
  friend class Translation;

  enum Code : uint8_t {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    LARGER,
    SMALLER,
    SQRT,
    ROUND,  // of floats
    MULTIPLY_ADD,
    MULTIPLY_SUBTRACT,
    ADD_INTEGER,
    SUBTRACT_INTEGER,
    MULTIPLY_INTEGER,
    AND,
    OR,
    XOR,
    COMPARE,
    COMPARE_INTEGER,
    COMPARE_UNSIGNED,  // to a mask; `detail` is a Predicate
    FLOAT_OF_INTEGER,
    INTEGER_OF_FLOAT,
    SHIFT_RIGHT,    // of integers, by `detail` bits
    ROUND_FLOAT16,  // of float32
    SELECT,         // by a mask, one of two values
    KEEP,           // by a mask, a value or 0
    MASK_AND,
    MASK_OR,
    MASK_XOR,
    MASK_NOT,
  };
  enum Predicate { EQUAL = 0, LESS = 1, LESS_EQUAL = 2, NOT_EQUAL = 4 };
  struct Operand {
    int16_t value;
    Format format;
    Extent extent;
    int16_t ahead;
  };
  struct Step {
    Code code;
    uint8_t detail;
    int16_t result;
    int16_t values[3];
  };
  struct Literal {
    int64_t value;  // the number of its value
    uint64_t bits;
  };
  struct Output {
    int16_t value;
    Format format;
    bool streamed;
  };

  int16_t new_value(bool boolean);
  int16_t emit(Code code, bool boolean, int a, int b = -1, int c = -1, int detail = 0);
  int16_t literal(uint64_t bits);
  int16_t number(double value);
  ptrdiff_t bytes_of(Format format) const;
  void leave_out_rounding();
  int16_t lower_bfloat16(int x);
  int16_t lower_boolean(int operation, const int* values);
  template <class Compare, class Extreme>
  int16_t lower_comparison(int operation, const int* values, Compare compare, Extreme extreme);
  int16_t lower_integer(int operation, bool is_signed, const int* values);
  int16_t lower_float(int operation, const int* values);
  int16_t lower_power(int degree, int x);
  std::string key() const;
  uintptr_t tail_of(ptrdiff_t elements) const;

  const int itemsize;
  const Encoding encoding;
  std::vector<Operand> inputs;
  std::vector<Output> outputs;
  std::vector<Step> steps;
  std::vector<Literal> literals;
  std::vector<bool> booleans;  // for each value, whether it is a mask
  std::shared_ptr<const MachineCode> code;
};

}  // namespace corepy
