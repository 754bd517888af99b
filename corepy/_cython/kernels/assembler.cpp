#include "assembler.hpp"

#include <cstring>

#if defined(__x86_64__) && defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace corepy {

void Assembler::four_bytes(int32_t value) {
  for (int k = 0; k < 4; k++) byte(int(uint32_t(value) >> (8 * k) & 0xFF));
}

// The prefix of a vector instruction. It has the inverted bits 3 and 4 of register numbers.
void Assembler::prefixes(bool evex, Instruction what, int length, int reg, int second,
                         const Location& rm, int mask, bool zeroing) {
  const int base = rm.in_memory ? int(rm.base) : rm.number;
  const int index = rm.in_memory ? (rm.index < 0 ? 0 : rm.index) : rm.number >> 1;
  const auto inverted = [](int number, int bit, int place) {
    return (~(number >> bit) & 1) << place;
  };
  const int first = inverted(reg, 3, 7) | inverted(index, 3, 6) | inverted(base, 3, 5) | what.map;
  const int middle = what.wide << 7 | (~second & 15) << 3 | what.prefix;
  if (evex) {
    byte(0x62);
    byte(first | inverted(reg, 4, 4));
    byte(middle | 4);
    byte(zeroing << 7 | length << 5 | inverted(second, 4, 3) | mask);
  } else {
    byte(0xC4);
    byte(first);
    byte(middle | length << 2);
  }
  byte(what.opcode);
}

void Assembler::operands(int reg, const Location& rm) {
  const int low = (reg & 7) << 3;
  if (!rm.in_memory) {
    byte(0xC0 | low | (rm.number & 7));
    return;
  }
  const int base = int(rm.base) & 7;
  // A displacement of four bytes or none: EVEX scales displacements of one byte. rbp and r13 always
  // need one.
  const int mode = rm.offset == 0 && base != RBP ? 0 : 0x80;
  if (rm.index >= 0) {
    byte(mode | low | 4);
    byte(rm.shift << 6 | (rm.index & 7) << 3 | base);
  } else if (base == RSP) {
    byte(mode | low | 4);
    byte(4 << 3 | base);
  } else {
    byte(mode | low | base);
  }
  if (mode) four_bytes(rm.offset);
}

void Assembler::vector(Instruction what, int length, int reg, int second, const Location& rm,
                       int mask, bool zeroing) {
  prefixes(encoding == ENCODING_evex, what, length, reg, second, rm, mask, zeroing);
  operands(reg, rm);
}

void Assembler::vector_immediate(Instruction what, int length, int reg, int second,
                                 const Location& rm, int immediate) {
  vector(what, length, reg, second, rm);
  byte(immediate);
}

void Assembler::mask(Instruction what, int length, int reg, int second, const Location& rm) {
  prefixes(false, what, length, reg, second, rm, 0, false);
  operands(reg, rm);
}

void Assembler::rex(bool wide, int reg, int index, int base) {
  byte(0x40 | wide << 3 | (reg >> 3 & 1) << 2 | (index >> 3 & 1) << 1 | (base >> 3 & 1));
}

void Assembler::push(General reg) {
  rex(false, 0, 0, reg);
  byte(0x50 | (reg & 7));
}

void Assembler::pop(General reg) {
  rex(false, 0, 0, reg);
  byte(0x58 | (reg & 7));
}

void Assembler::integer(int opcode, int reg, const Location& rm) {
  rex(true, reg, 0, rm.in_memory ? int(rm.base) : rm.number);
  byte(opcode);
  operands(reg, rm);
}

void Assembler::integer(int extension, const Location& rm, int32_t value) {
  integer(0x81, extension, rm);
  four_bytes(value);
}

void Assembler::clear(General reg) {
  rex(false, reg, 0, reg);
  byte(0x31);
  operands(reg, Location::vector(reg));
}

void Assembler::prefetch(const Location& rm) {
  rex(false, 0, rm.index < 0 ? 0 : rm.index, rm.base);
  byte(0x0F);
  byte(0x18);
  operands(2, rm);  // into the second-level cache
}

size_t Assembler::reserve_stack() {
  integer(5, Location::vector(RSP), 0);  // sub
  const size_t place = here() - 4;
  rex(true, 0, 0, RSP);
  byte(0x83);
  operands(4, Location::vector(RSP));  // and
  byte(-64);
  return place;
}

void Assembler::patch(size_t place, int32_t value) {
  std::memcpy(&code[place], &value, sizeof(value));
}

size_t Assembler::jump(Condition condition, size_t target) {
  if (condition == ALWAYS) {
    byte(0xE9);
  } else {
    byte(0x0F);
    byte(0x80 | condition);
  }
  const size_t place = here();
  four_bytes(int32_t(ptrdiff_t(target) - ptrdiff_t(place + 4)));
  return place;
}

void Assembler::end() {
  byte(0xC5);
  byte(0xF8);
  byte(0x77);
  byte(0xC3);
}

void Assembler::broadcast(int reg, int length, int size, const Location& from) {
  const bool wide = size == 8;  // vbroadcastsd, otherwise vbroadcastss
  vector({1, 2, uint8_t(wide && encoding == ENCODING_evex), uint8_t(0x18 + wide)}, length, reg, 0,
         from);
}

void Assembler::broadcast_literal(int reg, int length, int size, uint64_t bits) {
  broadcast(reg, length, size, Location::memory(RBP, 0));
  // rip-relative: the encoding of rbp with a displacement, with mode 0.
  code[here() - 5] = uint8_t(code[here() - 5] & 0x3F);
  references.push_back({here() - 4, literals.size()});
  literals.push_back(bits);
}

std::vector<uint8_t> Assembler::finish() {
  while (code.size() % sizeof(uint64_t)) byte(0xCC);
  const size_t begin = code.size();
  for (const Reference& reference : references) {
    const size_t literal = begin + reference.literal * sizeof(uint64_t);
    patch(reference.place, int32_t(literal - (reference.place + 4)));
  }
  code.resize(begin + literals.size() * sizeof(uint64_t));
  if (!literals.empty()) {
    std::memcpy(&code[begin], literals.data(), literals.size() * sizeof(uint64_t));
  }
  return std::move(code);
}

std::shared_ptr<const MachineCode> MachineCode::make(const std::vector<uint8_t>& code) {
#if defined(__x86_64__) && defined(__unix__)
  const size_t page = size_t(sysconf(_SC_PAGESIZE)), size = (code.size() + page - 1) / page * page;
  void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  std::shared_ptr<const MachineCode> made(new MachineCode(memory, size));
  std::memcpy(memory, code.data(), code.size());
  if (mprotect(memory, size, PROT_READ | PROT_EXEC) != 0) return nullptr;
  return made;
#else
  (void)code;
  return nullptr;
#endif
}

MachineCode::~MachineCode() {
#if defined(__x86_64__) && defined(__unix__)
  munmap(memory, size);
#endif
}

}  // namespace corepy
