// The translation of a chain to instructions: a loop over rows, of a loop over whole vectors and of
// what remains of the row, with register allocation. The value whose next use is farthest is
// spilled to the stack (Belady 1966).
#pragma once

#include "chains.hpp"

namespace corepy {

class Translation {
 public:
  explicit Translation(const Chain& chain);
  std::vector<uint8_t> finish();

 private:
  // The location of a value at the current step.
  struct Place {
    int reg = -1;
    int stack = -1;         // the spill slot
    bool fixed = false;     // in its register for the whole loop
    std::vector<int> uses;  // steps, in order; outputs follow the steps
    size_t next = 0;
  };

  // A literal or an operand with one element for a row, or for all: loaded before the loop.
  struct Fixed {
    int value, operand;  // -1: a literal
    uint64_t bits;
    size_t uses;
  };

  void find_uses();
  std::vector<Fixed> fixed_values() const;
  void choose_places(const std::vector<Fixed>& fixed);
  void write_fixed(const Fixed& each);
  void write_vectors(bool tail);
  void write_next_row();
  void write_step(const Chain::Step& step);
  void write_comparison(const Chain::Step& step);
  void write_mask_step(const Chain::Step& step);
  void write_output(const Chain::Output& output, int operand);

  bool is_mask(int value) const { return evex && chain.booleans[size_t(value)]; }
  int farthest(bool mask) const;
  int take(bool mask);
  int take_result(int value);
  void hold(int value);
  void release(int value);
  int in_register(int value);
  Location location(int value);
  Location literal(uint64_t bits);
  Location stack(int index) const { return Location::memory(RSP, int32_t(index) * Chain::VECTOR); }
  General pointer(int operand);
  Location element(int operand, Format format);
  void load_input(int operand, int reg);
  void shift(uint8_t way, int reg, int from, int bits);
  void store_half(Format format, int reg, const Location& to);
  void copy(int to, const Location& from);
  void vector(Instruction what, int reg, int second, const Location& rm) {
    write.vector(what, length, reg, second, rm);
  }
  Instruction of_floats(uint8_t opcode) const { return {uint8_t(wide), 1, uint8_t(wide), opcode}; }
  // vmaskmovps, vmaskmovpd; of loads the opcode is 0x2C, of stores 0x2E.
  Instruction masked_move(uint8_t opcode) const { return {1, 2, 0, uint8_t(opcode + wide)}; }
  Instruction of_integers(uint8_t opcode, int map = 1) const {
    return {1, uint8_t(map), uint8_t(evex && wide), opcode};
  }

  const Chain& chain;
  const bool evex;
  const bool wide;   // elements of 8 bytes
  const int length;  // of vectors, as in Assembler
  Assembler write;
  std::vector<Place> places;
  std::vector<int> input_of;  // for each value, the index of the input or -1
  int vectors[32], masks[8];  // for each register, the value; -1: free, -2: taken
  std::vector<int> held;      // values that must not be spilled by the current step
  int now = 0;                // the current step
  int stack_used = 0;
  int tail = -1;  // the register of the lanes that are computed; -1: all are
};

}  // namespace corepy
