#include "translation.hpp"

#include <algorithm>

namespace corepy {

namespace {

// Arguments: rdi points to the addresses of operands, rsi is the number of elements in whole
// vectors of a row; the others are stored below rbp. rcx counts the computed elements of a row.
// Addresses that do not fit these registers are loaded at each use.
constexpr int32_t ROWS = -8, STEPS = -16, TAIL = -24;
constexpr General ADDRESSES[] = {RAX, RDX, R8, R9, R10, R11, R12, R13, R14, R15};
constexpr General OTHER_ADDRESS = RBX;
constexpr General SAVED[] = {RBP, RBX, R12, R13, R14, R15};
constexpr int ADDRESS_COUNT = sizeof(ADDRESSES) / sizeof(ADDRESSES[0]);

constexpr int FREE = -1, TAKEN = -2;

// The most literals and broadcast operands in registers; others are read from the stack.
constexpr int MAX_FIXED_EVEX = 14, MAX_FIXED_VEX = 5;

// The opcodes of operations of two vectors, in the order of Chain's codes: of floats from ADD on,
// of integers of 4 and of 8 bytes from ADD_INTEGER on, of masks in vectors and in mask registers
// from MASK_AND on.
constexpr uint8_t OF_FLOATS[] = {0x58, 0x5C, 0x59, 0x5E, 0x5F, 0x5D};
constexpr uint8_t OF_INTEGERS[2][6] = {{0xFE, 0xFA, 0x40, 0xDB, 0xEB, 0xEF},
                                       {0xD4, 0xFB, 0x40, 0xDB, 0xEB, 0xEF}};
constexpr uint8_t OF_MASKS[2][3] = {{0xDB, 0xEB, 0xEF}, {0x41, 0x45, 0x47}};
// Predicates of floats: quiet, and ordered but for NOT_EQUAL.
constexpr uint8_t FLOAT_PREDICATES[] = {0x00, 0x11, 0x12, 0, 0x04};

constexpr Instruction MASK_MOVE = {0, 1, 1, 0x90}, MASK_STORE = {0, 1, 1, 0x91},
                      MASK_OF_INTEGER = {0, 1, 0, 0x92};

}  // namespace

Translation::Translation(const Chain& chain)
    : chain(chain),
      evex(chain.encoding == ENCODING_evex),
      wide(chain.itemsize == 8),
      length(evex ? 2 : 1),
      write(chain.encoding),
      places(chain.booleans.size()),
      input_of(chain.booleans.size(), -1) {
  std::fill_n(vectors, 32, evex ? FREE : TAKEN);
  std::fill_n(vectors, 16, FREE);
  std::fill_n(masks, 8, FREE);
  masks[0] = TAKEN;  // as {k0} it means no mask
  for (size_t k = 0; k < chain.inputs.size(); k++) {
    input_of[size_t(chain.inputs[k].value)] = int(k);
  }
}

std::vector<uint8_t> Translation::finish() {
  find_uses();
  const std::vector<Fixed> fixed = fixed_values();
  choose_places(fixed);
  const auto is_of_row = [&](const Fixed& each) {
    return each.operand >= 0 && chain.inputs[size_t(each.operand)].extent == Chain::ROW;
  };
  for (const General reg : SAVED) write.push(reg);
  write.move(RBP, RSP);
  const size_t frame = write.reserve_stack();
  write.store(RBP, ROWS, RDX);
  write.store(RBP, STEPS, RCX);
  write.store(RBP, TAIL, R8);
  for (const Fixed& each : fixed) {
    if (!is_of_row(each)) write_fixed(each);
  }
  const size_t row = write.here();
  for (const Fixed& each : fixed) {
    if (is_of_row(each)) write_fixed(each);
  }
  const int operands = int(chain.inputs.size() + chain.outputs.size());
  for (int k = 0; k < std::min(operands, ADDRESS_COUNT); k++) {
    write.load(ADDRESSES[k], RDI, 8 * k);
  }
  write.clear(RCX);
  write.compare(RCX, RSI);
  const size_t to_tail = write.jump(Assembler::NOT_BELOW);
  const size_t loop = write.here();
  const int fixed_slots = stack_used;
  write_vectors(false);
  write.add(RCX, (evex ? 64 : 32) / chain.itemsize);
  write.compare(RCX, RSI);
  write.jump(Assembler::BELOW, loop);

  write.land(to_tail);
  write.compare(RBP, TAIL, 0);
  const size_t to_next = write.jump(Assembler::EQUAL);
  for (Place& place : places) {
    place.next = 0;
    if (place.stack >= fixed_slots) place.stack = -1;
  }
  write_vectors(true);

  write.land(to_next);
  write.add(RBP, ROWS, -1);
  const size_t to_end = write.jump(Assembler::EQUAL);
  write_next_row();
  write.jump(Assembler::ALWAYS, row);
  write.land(to_end);
  write.move(RSP, RBP);
  for (size_t k = sizeof(SAVED) / sizeof(SAVED[0]); k-- > 0;) write.pop(SAVED[k]);
  write.end();
  write.patch(frame, (stack_used + 1) * Chain::VECTOR);  // and the arguments
  return write.finish();
}

// Computes a vector at rcx, or the lanes of it that the tail has.
void Translation::write_vectors(bool of_tail) {
  now = 0;
  if (of_tail) {
    tail = take(evex);
    write.load(OTHER_ADDRESS, RBP, TAIL);
    if (evex) {
      write.mask(MASK_OF_INTEGER, 0, tail, 0, Location::vector(OTHER_ADDRESS));
    } else {
      copy(tail, Location::memory(OTHER_ADDRESS, 0));
    }
  }
  for (size_t k = 0; k < chain.inputs.size() && !of_tail; k++) {
    if (chain.inputs[k].ahead == 0) continue;
    Location place = element(int(k), chain.inputs[k].format);
    place.offset = chain.inputs[k].ahead;
    write.prefetch(place);
  }
  for (const Chain::Step& step : chain.steps) {
    write_step(step);
    now++;
  }
  int operand = int(chain.inputs.size());
  for (const Chain::Output& output : chain.outputs) {
    write_output(output, operand++);
    now++;
  }
}

// Adds the distances of rows to the addresses of operands.
void Translation::write_next_row() {
  write.load(OTHER_ADDRESS, RBP, STEPS);
  const int operands = int(chain.inputs.size() + chain.outputs.size());
  for (int k = 0; k < operands; k++) {
    const bool is_input = size_t(k) < chain.inputs.size();
    if (is_input && chain.inputs[size_t(k)].extent == Chain::ALL) continue;
    write.load(RAX, OTHER_ADDRESS, 8 * k);
    write.add(RDI, 8 * k, RAX);
  }
}

void Translation::find_uses() {
  int step = 0;
  const auto use = [&](int value) {
    if (value < 0) return;
    std::vector<int>& uses = places[size_t(value)].uses;
    if (uses.empty() || uses.back() != step) uses.push_back(step);
  };
  for (const Chain::Step& each : chain.steps) {
    for (const int16_t value : each.values) use(value);
    step++;
  }
  for (const Chain::Output& output : chain.outputs) {
    use(output.value);
    step++;
  }
}

std::vector<Translation::Fixed> Translation::fixed_values() const {
  std::vector<Fixed> all;
  for (const Chain::Literal& literal : chain.literals) {
    // Loads and stores of bool use literals, too.
    const size_t uses = places[size_t(literal.value)].uses.size() + 1;
    all.push_back({int(literal.value), -1, literal.bits, uses});
  }
  for (size_t k = 0; k < chain.inputs.size(); k++) {
    if (chain.inputs[k].extent == Chain::EACH) continue;
    const int value = chain.inputs[k].value;
    all.push_back({value, int(k), 0, places[size_t(value)].uses.size()});
  }
  return all;
}

// Gives those that are used most a register for the whole loop, and others a vector on the stack.
void Translation::choose_places(const std::vector<Fixed>& fixed) {
  std::vector<Fixed> sorted = fixed;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Fixed& a, const Fixed& b) { return a.uses > b.uses; });
  const int most = evex ? MAX_FIXED_EVEX : MAX_FIXED_VEX;
  int count = 0;
  for (const Fixed& each : sorted) {
    Place& place = places[size_t(each.value)];
    place.fixed = count++ < most;
    if (place.fixed) {
      place.reg = take(false);
      vectors[place.reg] = each.value;
    } else {
      place.stack = stack_used++;
    }
  }
}

void Translation::write_fixed(const Fixed& each) {
  const Place& place = places[size_t(each.value)];
  const int reg = place.fixed ? place.reg : take(false);
  if (each.operand < 0) {
    write.broadcast_literal(reg, length, chain.itemsize, each.bits);
  } else {
    write.load(OTHER_ADDRESS, RDI, 8 * each.operand);
    write.broadcast(reg, length, chain.itemsize, Location::memory(OTHER_ADDRESS, 0));
  }
  if (place.fixed) return;
  vector(of_floats(0x29), reg, 0, stack(place.stack));
  vectors[reg] = FREE;
}

// ---- registers

// The register of the value whose next use is farthest.
int Translation::farthest(bool mask) const {
  const int* const values = mask ? masks : vectors;
  int found = -1, last = -1;
  for (int reg = 0; reg < (mask ? 8 : 32); reg++) {
    if (values[reg] < 0) continue;
    const Place& place = places[size_t(values[reg])];
    if (place.fixed || std::find(held.begin(), held.end(), values[reg]) != held.end()) continue;
    const int next = place.next < place.uses.size() ? place.uses[place.next] : 1 << 30;
    if (next > last) {
      last = next;
      found = reg;
    }
  }
  return found;
}

// Takes a free register, or spills one.
int Translation::take(bool mask) {
  int* const values = mask ? masks : vectors;
  for (int reg = 0; reg < (mask ? 8 : 32); reg++) {
    if (values[reg] == FREE) {
      values[reg] = TAKEN;
      return reg;
    }
  }
  const int reg = farthest(mask);
  Place& place = places[size_t(values[reg])];
  const bool in_memory = input_of[size_t(values[reg])] >= 0;
  if (place.stack < 0 && !in_memory) {
    place.stack = stack_used++;
    if (mask) {
      write.mask(MASK_STORE, 0, reg, 0, stack(place.stack));
    } else {
      vector(of_floats(0x29), reg, 0, stack(place.stack));
    }
  }
  place.reg = -1;
  values[reg] = TAKEN;
  return reg;
}

int Translation::take_result(int value) {
  const bool mask = is_mask(value);
  const int reg = take(mask);
  (mask ? masks : vectors)[reg] = value;
  places[size_t(value)].reg = reg;
  if (places[size_t(value)].uses.empty()) release(value);
  return reg;
}

// Operands of a step must not be spilled before it is written.
void Translation::hold(int value) { held.push_back(value); }

// Frees the register of a value after its last use.
void Translation::release(int value) {
  if (value < 0) return;
  Place& place = places[size_t(value)];
  while (place.next < place.uses.size() && place.uses[place.next] <= now) place.next++;
  if (place.next < place.uses.size() || place.reg < 0 || place.fixed) return;
  (is_mask(value) ? masks : vectors)[place.reg] = FREE;
  place.reg = -1;
}

int Translation::in_register(int value) {
  Place& place = places[size_t(value)];
  if (place.reg < 0) {
    const bool mask = is_mask(value);
    const int reg = take(mask);
    if (place.stack >= 0) {
      if (mask) {
        write.mask(MASK_MOVE, 0, reg, 0, stack(place.stack));
      } else {
        copy(reg, stack(place.stack));
      }
    } else {
      load_input(input_of[size_t(value)], reg);
    }
    (mask ? masks : vectors)[reg] = value;
    place.reg = reg;
  }
  hold(value);
  return place.reg;
}

// An operand that may be in memory. It is loaded to a register if it is used again.
Location Translation::location(int value) {
  const Place& place = places[size_t(value)];
  const int operand = input_of[size_t(value)];
  const bool last = place.next + 1 >= place.uses.size();
  if (place.reg < 0 && !is_mask(value)) {
    if (place.stack >= 0) return stack(place.stack);
    if (last && tail < 0 && operand >= 0 && chain.inputs[size_t(operand)].format == Format::FULL) {
      return element(operand, Format::FULL);
    }
  }
  return Location::vector(in_register(value));
}

// One of the chain's literals.
Location Translation::literal(uint64_t bits) {
  int value = -1;
  for (const Chain::Literal& each : chain.literals) {
    if (each.bits == bits) value = int(each.value);
  }
  return location(value);
}

// ---- memory

General Translation::pointer(int operand) {
  if (operand < ADDRESS_COUNT) return ADDRESSES[operand];
  write.load(OTHER_ADDRESS, RDI, 8 * operand);
  return OTHER_ADDRESS;
}

Location Translation::element(int operand, Format format) {
  const int full = wide ? 3 : 2;
  const int shift = format == Format::FULL ? full : format == Format::BOOL ? 0 : 1;
  return Location::element(pointer(operand), RCX, shift);
}

// vpsrld (2), vpslld (6).
void Translation::shift(uint8_t way, int reg, int from, int bits) {
  write.vector_immediate({1, 1, 0, 0x72}, length, way, reg, Location::vector(from), bits);
}

void Translation::copy(int to, const Location& from) { vector(of_floats(0x10), to, 0, from); }

void Translation::load_input(int operand, int reg) {
  const Format format = chain.inputs[size_t(operand)].format;
  const Location from = element(operand, format);
  const bool full = format == Format::FULL;
  if (full && tail >= 0 && evex) {
    return write.vector(of_floats(0x10), length, reg, 0, from, tail, true);
  }
  if (full && tail >= 0) return vector(masked_move(0x2C), reg, tail, from);
  if (full) return copy(reg, from);
  if (format == Format::FLOAT16) return vector({1, 2, 0, 0x13}, reg, 0, from);  // vcvtph2ps
  if (format == Format::BFLOAT16) {
    vector({1, 2, 0, 0x33}, reg, 0, from);  // vpmovzxwd
    return shift(6, reg, reg, 16);
  }
  if (evex) {
    // Eight or sixteen bytes; vptestmb.
    const int bytes = take(false);
    if (wide) {
      write.vector({2, 1, 1, 0x7E}, 0, bytes, 0, from);
    } else {
      write.vector({2, 1, 0, 0x6F}, 0, bytes, 0, from);
    }
    write.vector({1, 2, 0, 0x26}, 0, reg, bytes, Location::vector(bytes));
    vectors[bytes] = FREE;
    return;
  }
  // vpmovzxb, vpcmpgt with 0.
  vector({1, 2, 0, uint8_t(wide ? 0x32 : 0x31)}, reg, 0, from);
  const Instruction greater = wide ? Instruction{1, 2, 0, 0x37} : Instruction{1, 1, 0, 0x66};
  vector(greater, reg, reg, literal(0));
}

void Translation::write_output(const Chain::Output& output, int operand) {
  held.clear();
  const int reg = in_register(output.value);
  const Location to = element(operand, output.format);
  const bool full = output.format == Format::FULL;
  if (full && tail >= 0) {
    if (evex) {
      write.vector(of_floats(0x11), length, reg, 0, to, tail);
    } else {
      vector(masked_move(0x2E), reg, tail, to);
    }
  } else if (full) {
    vector(output.streamed ? Instruction{1, 1, uint8_t(evex), 0x2B} : of_floats(0x11), reg, 0, to);
  } else if (output.format != Format::BOOL) {
    store_half(output.format, reg, to);
  } else if (evex) {
    // Ones where the mask is set; vmovdqu8.
    const uint64_t ones = uint64_t(0x0101010101010101);
    const int bytes = take(false);
    write.vector({3, 1, 0, 0x6F}, 0, bytes, 0, literal(wide ? ones : ones & 0xFFFFFFFF), reg, true);
    if (wide) {
      write.vector({1, 1, 1, 0xD6}, 0, bytes, 0, to);
    } else {
      write.vector({2, 1, 0, 0x7F}, 0, bytes, 0, to);
    }
    vectors[bytes] = FREE;
  } else {
    // Lanes of all ones, narrowed to bytes, and their magnitude.
    const int half = take(false);
    const Location narrow = Location::vector(half);
    write.vector_immediate({1, 3, 0, 0x19}, 1, reg, 0, narrow, 1);  // vextractf128
    if (wide) {
      write.vector_immediate({0, 1, 0, 0xC6}, 0, half, reg, narrow, 0x88);  // vshufps
      write.vector({1, 1, 0, 0x6B}, 0, half, half, narrow);                 // vpackssdw
    } else {
      write.vector({1, 1, 0, 0x6B}, 0, half, reg, narrow);
    }
    write.vector({1, 1, 0, 0x63}, 0, half, half, narrow);  // vpacksswb
    write.vector({1, 2, 0, 0x1C}, 0, half, 0, narrow);     // vpabsb
    write.vector({1, 1, 0, uint8_t(wide ? 0x7E : 0xD6)}, 0, half, 0, to);
    vectors[half] = FREE;
  }
  release(output.value);
}

void Translation::store_half(Format format, int reg, const Location& to) {
  if (format == Format::FLOAT16) {
    return write.vector_immediate({1, 3, 0, 0x1D}, length, reg, 0, to, 0);  // vcvtps2ph
  }
  const int words = take(false);
  shift(2, words, reg, 16);
  if (evex) {
    vector({2, 2, 0, 0x33}, words, 0, to);  // vpmovdw
  } else {
    const int half = take(false);
    write.vector_immediate({1, 3, 0, 0x39}, 1, words, 0, Location::vector(half),
                           1);                                               // vextracti128
    write.vector({1, 2, 0, 0x2B}, 0, words, words, Location::vector(half));  // vpackusdw
    write.vector({2, 1, 0, 0x7F}, 0, words, 0, to);
    vectors[half] = FREE;
  }
  vectors[words] = FREE;
}

// ---- steps

void Translation::write_step(const Chain::Step& step) {
  held.clear();
  const int a = step.values[0], b = step.values[1], c = step.values[2];
  // dst = code(a, b), with b in memory or not.
  const auto binary = [&](Instruction what) {
    const int first = in_register(a);
    const Location second = location(b);
    release(a);
    release(b);
    vector(what, take_result(step.result), first, second);
  };
  switch (step.code) {
    case Chain::ADD:
    case Chain::SUBTRACT:
    case Chain::MULTIPLY:
    case Chain::DIVIDE:
    case Chain::LARGER:
    case Chain::SMALLER:
      return binary(of_floats(OF_FLOATS[step.code - Chain::ADD]));
    case Chain::ADD_INTEGER:
    case Chain::SUBTRACT_INTEGER:
    case Chain::MULTIPLY_INTEGER:
    case Chain::AND:
    case Chain::OR:
    case Chain::XOR:
      return binary(of_integers(OF_INTEGERS[wide][step.code - Chain::ADD_INTEGER],
                                step.code == Chain::MULTIPLY_INTEGER ? 2 : 1));
    case Chain::COMPARE:
    case Chain::COMPARE_INTEGER:
    case Chain::COMPARE_UNSIGNED:
      return write_comparison(step);
    case Chain::SHIFT_RIGHT: {
      const int from = in_register(a);
      release(a);
      return shift(2, take_result(step.result), from, step.detail);
    }
    case Chain::ROUND_FLOAT16: {
      const int from = in_register(a);
      release(a);
      const int result = take_result(step.result);
      const Location half = Location::vector(result);
      write.vector_immediate({1, 3, 0, 0x1D}, length, from, 0, half, 0);  // vcvtps2ph
      return vector({1, 2, 0, 0x13}, result, 0, half);                    // vcvtph2ps
    }
    case Chain::SQRT:
    case Chain::FLOAT_OF_INTEGER:
    case Chain::INTEGER_OF_FLOAT:
    case Chain::ROUND: {
      const Location from = location(a);
      release(a);
      const int result = take_result(step.result);
      if (step.code == Chain::SQRT) return vector(of_floats(0x51), result, 0, from);
      if (step.code == Chain::ROUND) {
        const Instruction round = {1, 3, uint8_t(evex && wide), uint8_t(wide ? 0x09 : 0x08)};
        return write.vector_immediate(round, length, result, 0, from, step.detail);
      }
      if (step.code == Chain::FLOAT_OF_INTEGER) {
        return vector(wide ? Instruction{2, 1, 1, 0xE6} : Instruction{0, 1, 0, 0x5B}, result, 0,
                      from);
      }
      return vector(wide ? Instruction{1, 1, 1, 0x7A} : Instruction{2, 1, 0, 0x5B}, result, 0,
                    from);
    }
    case Chain::MULTIPLY_ADD:
    case Chain::MULTIPLY_SUBTRACT: {
      // The instruction overwrites the first factor.
      const int first = in_register(a), second = in_register(b);
      const Location third = location(c);
      const int result = take_result(step.result);
      copy(result, Location::vector(first));
      const uint8_t opcode = step.code == Chain::MULTIPLY_ADD ? 0xA8 : 0xAA;
      vector({1, 2, uint8_t(wide), opcode}, result, second, third);
      for (const int value : {a, b, c}) release(value);
      return;
    }
    case Chain::SELECT: {
      // a: the mask; b where it is set, c elsewhere.
      const int mask = in_register(a), otherwise = in_register(c);
      const Location chosen = location(b);
      for (const int value : {a, b, c}) release(value);
      const int result = take_result(step.result);
      if (evex) {
        write.vector({1, 2, uint8_t(wide), 0x65}, length, result, otherwise, chosen, mask);
      } else {
        write.vector_immediate({1, 3, 0, uint8_t(wide ? 0x4B : 0x4A)}, length, result, otherwise,
                               chosen, mask << 4);
      }
      return;
    }
    case Chain::KEEP: {
      const int mask = in_register(a);
      const Location from = location(b);
      release(a);
      release(b);
      const int result = take_result(step.result);
      if (evex) {
        write.vector(of_floats(0x28), length, result, 0, from, mask, true);
      } else {
        vector(of_integers(0xDB), result, mask, from);
      }
      return;
    }
    default:
      return write_mask_step(step);
  }
}

void Translation::write_comparison(const Chain::Step& step) {
  const int a = step.values[0], b = step.values[1];
  const bool floats = step.code == Chain::COMPARE;
  if (evex || floats) {
    const int first = in_register(a);
    const Location second = location(b);
    release(a);
    release(b);
    Instruction what = of_floats(0xC2);
    if (!floats) {
      what = {1, 3, uint8_t(wide), uint8_t(step.code == Chain::COMPARE_INTEGER ? 0x1F : 0x1E)};
    }
    const int predicate = floats ? FLOAT_PREDICATES[step.detail] : step.detail;
    return write.vector_immediate(what, length, take_result(step.result), first, second, predicate);
  }
  // AVX2 compares signed integers for equal and greater only.
  const bool equality = step.detail == Chain::EQUAL || step.detail == Chain::NOT_EQUAL;
  const bool inverted = step.detail == Chain::NOT_EQUAL || step.detail == Chain::LESS_EQUAL;
  // a < b is b > a; a <= b is not a > b.
  const bool exchanged = step.detail == Chain::LESS;
  const int left = exchanged ? b : a, right = exchanged ? a : b;
  int first = in_register(left), second = in_register(right);
  int turned[2] = {-1, -1};
  if (step.code == Chain::COMPARE_UNSIGNED && !equality) {
    const int sign = take(false);
    write.broadcast_literal(sign, length, chain.itemsize,
                            wide ? uint64_t(1) << 63 : uint64_t(1) << 31);
    turned[0] = take(false);
    turned[1] = sign;
    vector(of_integers(0xEF), turned[0], first, Location::vector(sign));
    vector(of_integers(0xEF), turned[1], second, Location::vector(sign));
    first = turned[0];
    second = turned[1];
  }
  release(a);
  release(b);
  const int result = take_result(step.result);
  const Instruction equal = wide ? Instruction{1, 2, 0, 0x29} : Instruction{1, 1, 0, 0x76};
  const Instruction greater = wide ? Instruction{1, 2, 0, 0x37} : Instruction{1, 1, 0, 0x66};
  vector(equality ? equal : greater, result, first, Location::vector(second));
  for (const int reg : turned) {
    if (reg >= 0) vectors[reg] = FREE;
  }
  if (inverted) {
    hold(step.result);
    const int ones = take(false);
    vector({1, 1, 0, 0x76}, ones, ones, Location::vector(ones));
    vector(of_integers(0xEF), result, result, Location::vector(ones));
    vectors[ones] = FREE;
  }
}

void Translation::write_mask_step(const Chain::Step& step) {
  const int a = step.values[0], b = step.values[1];
  const int first = in_register(a);
  if (step.code == Chain::MASK_NOT) {
    const int ones = evex ? -1 : take(false);
    release(a);
    const int result = take_result(step.result);
    if (evex) return write.mask({0, 1, 1, 0x44}, 0, result, 0, Location::vector(first));
    vector({1, 1, 0, 0x76}, ones, ones, Location::vector(ones));
    vector(of_integers(0xEF), result, first, Location::vector(ones));
    vectors[ones] = FREE;
    return;
  }
  const int second = in_register(b);
  release(a);
  release(b);
  const int result = take_result(step.result);
  const Location other = Location::vector(second);
  const uint8_t opcode = OF_MASKS[evex][step.code - Chain::MASK_AND];
  if (evex) {
    write.mask({0, 1, 1, opcode}, 1, result, first, other);
  } else {
    vector(of_integers(opcode), result, first, other);
  }
}

}  // namespace corepy
