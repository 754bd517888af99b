// Encoding of x86-64 instructions: vector instructions with VEX prefixes (AVX2: 16 registers of 32
// bytes) or EVEX prefixes (AVX-512: 32 registers of 64 bytes, and mask registers), and instructions
// of loops. See Intel's Software Developer's Manual, volume 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels.hpp"

namespace corepy {

// General-purpose registers.
enum General { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

// An instruction in the notation of the manual: 66.0F38.W1 A8 is {1, 2, 1, 0xA8}.
struct Instruction {
  uint8_t prefix;  // 0: none, 1: 66, 2: F3, 3: F2
  uint8_t map;     // 1: 0F, 2: 0F38, 3: 0F3A
  uint8_t wide;    // W
  uint8_t opcode;
};

// A vector or mask register, or memory at base + (index << shift) + offset.
struct Location {
  int number = 0;  // of the register
  bool in_memory = false;
  General base = RAX;
  int index = -1;  // a general-purpose register; -1: none
  int shift = 0;
  int32_t offset = 0;

  static Location vector(int number) { return {number}; }
  static Location memory(General base, int32_t offset) { return {0, true, base, -1, 0, offset}; }
  static Location element(General base, General index, int shift) {
    return {0, true, base, index, shift, 0};
  }
};

class Assembler {
 public:
  explicit Assembler(Encoding encoding) : encoding(encoding) {}

  // `length` of vectors: 0: 16 bytes, 1: 32, 2: 64. `second` is the manual's operand vvvv; `mask`
  // is the register of {k} or {k}{z}.
  void vector(Instruction, int length, int reg, int second, const Location& rm, int mask = 0,
              bool zeroing = false);
  void vector_immediate(Instruction, int length, int reg, int second, const Location& rm,
                        int immediate);
  // Instructions of mask registers always have VEX prefixes.
  void mask(Instruction, int length, int reg, int second, const Location& rm);

  void push(General);
  void pop(General);
  void move(General to, General from) { integer(0x89, from, Location::vector(to)); }
  void load(General to, General base, int32_t offset) {
    integer(0x8B, to, Location::memory(base, offset));
  }
  void store(General base, int32_t offset, General from) {
    integer(0x89, from, Location::memory(base, offset));
  }
  void clear(General);  // xor of 32 bits clears all 64
  void add(General to, int32_t value) { integer(0, Location::vector(to), value); }
  void add(General base, int32_t offset, int32_t value) {
    integer(0, Location::memory(base, offset), value);
  }
  void add(General base, int32_t offset, General from) {
    integer(0x01, from, Location::memory(base, offset));
  }
  void compare(General first, General second) { integer(0x39, second, Location::vector(first)); }
  void compare(General base, int32_t offset, int32_t value) {
    integer(7, Location::memory(base, offset), value);
  }
  void prefetch(const Location&);
  // rsp = (rsp - bytes) & -64; patch() at the returned place sets the number of bytes.
  size_t reserve_stack();
  void patch(size_t place, int32_t value);
  size_t here() const { return code.size(); }
  // Jumps to `target`, or to where land() is called with what it returns.
  enum Condition { BELOW = 2, NOT_BELOW = 3, EQUAL = 4, ALWAYS = 16 };
  size_t jump(Condition, size_t target = 0);
  void land(size_t place) { patch(place, int32_t(here() - (place + 4))); }
  void end();  // vzeroupper, ret

  // Broadcasts a literal of `size` bytes (4 or 8) to all lanes. Literals follow the code.
  void broadcast_literal(int reg, int length, int size, uint64_t bits);
  void broadcast(int reg, int length, int size, const Location& from);

  // The code with its literals.
  std::vector<uint8_t> finish();

 private:
  struct Reference {
    size_t place;  // of the displacement, the last four bytes of an instruction
    size_t literal;
  };

  void byte(int value) { code.push_back(uint8_t(value)); }
  void four_bytes(int32_t value);
  void prefixes(bool evex, Instruction, int length, int reg, int second, const Location& rm,
                int mask, bool zeroing);
  void operands(int reg, const Location& rm);
  void rex(bool wide, int reg, int index, int base);
  // Instructions of 64-bit integers: of a register and another or memory, and of a constant, where
  // the operation is `extension`.
  void integer(int opcode, int reg, const Location& rm);
  void integer(int extension, const Location& rm, int32_t value);

  const Encoding encoding;
  std::vector<uint8_t> code;
  std::vector<uint64_t> literals;
  std::vector<Reference> references;
};

// Code in executable memory, which is not writable.
class MachineCode {
 public:
  // nullptr if the system refuses.
  static std::shared_ptr<const MachineCode> make(const std::vector<uint8_t>& code);
  MachineCode(const MachineCode&) = delete;
  MachineCode& operator=(const MachineCode&) = delete;
  ~MachineCode();

  template <class Function>
  Function* entry() const {
    return reinterpret_cast<Function*>(memory);
  }

 private:
  MachineCode(void* memory, size_t size) : memory(memory), size(size) {}

  void* memory;
  size_t size;
};

}  // namespace corepy
