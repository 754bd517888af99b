// Chains: operations that are computed for some elements after another in vector registers, by code
// that is made for them when they are first needed. It is made by writing instructions one after
// the other, in microseconds, from a fixed translation of each operation; results are those of the
// loops of the kernel table, bit for bit (but for which NaN it is).
//
// All values of a chain have elements of one size, 4 or 8 bytes, or are bool. Code exists for
// x86-64 with AVX2 or AVX-512; elsewhere, and where the system does not permit it, there are no
// chains.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assembler.hpp"

namespace corepy {

// Whether chains can be made with the instruction set in use.
bool has_chains();

// Bytes of the elements other than bool that a loop of the kernel table takes and gives: 4 or 8; 1:
// all of its operands are bool; 0: it cannot be part of a chain.
int chain_itemsize(kernel loop);

class Chain {
 public:
  // The most operands, and the most steps that they are translated to.
  static constexpr int MAX_CHAIN_OPERANDS = 40;
  static constexpr int MAX_CHAIN_STEPS = 250;
  // The most bytes of an operand that is read or written at once.
  static constexpr int VECTOR = 64;

  explicit Chain(int itemsize);

  // Each adds a value and returns its number. `broadcast`: the operand is one element for all;
  // `ahead`: bytes by which memory is asked for before it is read, or 0.
  int add_input(bool boolean, bool broadcast, int ahead);
  int add_loop(kernel loop, const int* values);
  // Has a value written: to an operand after those of inputs. `streamed`: past the caches.
  void add_output(int value, bool streamed);

  // Makes the code, or finds it. Throws std::bad_alloc; false where there is none.
  bool translate();

  // Computes n elements. operands[k] is where the elements of an input, or then of an output,
  // begin. Outputs that are streamed are at multiples of VECTOR.
  void run(ptrdiff_t n, char* const* operands) const;

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
    COMPARE_UNSIGNED,  // to a mask; `detail` is the predicate
    FLOAT_OF_INTEGER,
    INTEGER_OF_FLOAT,
    SELECT,
    KEEP,  // by a mask: one of two; a value or 0
    MASK_AND,
    MASK_OR,
    MASK_XOR,
    MASK_NOT,
  };
  struct Operand {
    int16_t value;
    bool boolean, broadcast;
    int16_t ahead;
  };
  struct Step {
    Code code;
    uint8_t detail;
    int16_t result;
    int16_t values[3];
  };
  struct Literal {
    int64_t value;  // its number
    uint64_t bits;
  };
  struct Output {
    int16_t value;
    bool boolean, streamed;
  };

  int16_t new_value(bool boolean);
  int16_t emit(Code code, bool boolean, int a, int b = -1, int c = -1, int detail = 0);
  int16_t literal(uint64_t bits);
  int16_t number(double value);
  int16_t lower(int operation, int dtype, const int* values);
  int16_t lower_boolean(int operation, const int* values);
  int16_t lower_integer(int operation, bool is_signed, const int* values);
  int16_t lower_float(int operation, const int* values);
  int16_t lower_power(int degree, int x);
  std::string key() const;

  const int itemsize;
  const Encoding encoding;
  std::vector<Operand> inputs;
  std::vector<Output> outputs;
  std::vector<Step> steps;
  std::vector<Literal> literals;
  std::vector<bool> booleans;  // by values: whether it is a mask
  std::shared_ptr<const MachineCode> code;
};

}  // namespace corepy
