#include "chains.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <unordered_map>

#include "translation.hpp"

namespace corepy {

namespace {

// The operation of a loop of the kernel table.
struct Meaning {
  int operation;  // an Operation, or one of those below
  Dtype from, to;
};
constexpr int CAST = OP_COUNT, HALF_POWER = OP_COUNT + 1, THIRD_POWER = OP_COUNT + 2,
              FOURTH_POWER = OP_COUNT + 3;

typedef std::unordered_map<kernel, Meaning> Meanings;

constexpr Operation OF_FLOATS[] = {
    OP_abs,         OP_add,        OP_ceil,       OP_clip,          OP_copysign,    OP_divide,
    OP_equal,       OP_floor,      OP_greater,    OP_greater_equal, OP_isfinite,    OP_isinf,
    OP_isnan,       OP_less,       OP_less_equal, OP_logical_and,   OP_logical_not, OP_logical_or,
    OP_logical_xor, OP_maximum,    OP_minimum,    OP_multiply,      OP_negative,    OP_not_equal,
    OP_positive,    OP_reciprocal, OP_round,      OP_sign,          OP_sqrt,        OP_square,
    OP_subtract,    OP_trunc,      OP_where,
};
constexpr Operation OF_INTEGERS[] = {
    OP_abs,         OP_add,        OP_bitwise_and, OP_bitwise_invert, OP_bitwise_or,
    OP_bitwise_xor, OP_clip,       OP_equal,       OP_greater,        OP_greater_equal,
    OP_less,        OP_less_equal, OP_logical_and, OP_logical_not,    OP_logical_or,
    OP_logical_xor, OP_maximum,    OP_minimum,     OP_negative,       OP_not_equal,
    OP_positive,    OP_subtract,   OP_where,       OP_multiply,       OP_square,
};
constexpr Operation OF_BOOLS[] = {
    OP_bitwise_and, OP_bitwise_invert, OP_bitwise_or, OP_bitwise_xor, OP_equal,
    OP_logical_and, OP_logical_not,    OP_logical_or, OP_logical_xor, OP_not_equal,
};

Meanings find_meanings(const Kernels& all) {
  Meanings found;
  const bool evex = all.encoding == ENCODING_evex;
  const auto add = [&](kernel loop, int operation, Dtype from, Dtype to) {
    if (loop) found.insert({loop, {operation, from, to}});
  };
  const auto add_rows = [&](const auto& operations, Dtype dtype) {
    for (const Operation operation : operations) {
      const Entry& row = all.table[operation][dtype];
      // AVX2 has no multiplication of integers of 8 bytes.
      const bool product = operation == OP_multiply || operation == OP_square;
      if (product && is_integer(dtype) && dtype_itemsize[dtype] == 8 && !evex) continue;
      if (row.compute == dtype) add(row.loop, operation, dtype, Dtype(row.result));
    }
  };
  add_rows(OF_BOOLS, DTYPE_bool);
  for (const Dtype dtype : {DTYPE_float64, DTYPE_float32}) {
    add_rows(OF_FLOATS, dtype);
    add(all.powers.half[dtype], HALF_POWER, dtype, dtype);
    add(all.powers.third[dtype], THIRD_POWER, dtype, dtype);
    add(all.powers.fourth[dtype], FOURTH_POWER, dtype, dtype);
  }
  for (const Dtype dtype : {DTYPE_int64, DTYPE_int32, DTYPE_uint64, DTYPE_uint32}) {
    add_rows(OF_INTEGERS, dtype);
  }
  for (const Dtype dtype :
       {DTYPE_float64, DTYPE_float32, DTYPE_int64, DTYPE_int32, DTYPE_uint64, DTYPE_uint32}) {
    add(all.casts[DTYPE_bool][dtype], CAST, DTYPE_bool, dtype);
    add(all.casts[dtype][DTYPE_bool], CAST, dtype, DTYPE_bool);
  }
  for (const Dtype half : {DTYPE_float16, DTYPE_bfloat16}) {
    add(all.casts[half][DTYPE_float32], CAST, half, DTYPE_float32);
    add(all.casts[DTYPE_float32][half], CAST, DTYPE_float32, half);
  }
  add(all.casts[DTYPE_int32][DTYPE_float32], CAST, DTYPE_int32, DTYPE_float32);
  add(all.casts[DTYPE_float32][DTYPE_int32], CAST, DTYPE_float32, DTYPE_int32);
  if (evex) {
    add(all.casts[DTYPE_int64][DTYPE_float64], CAST, DTYPE_int64, DTYPE_float64);
    add(all.casts[DTYPE_float64][DTYPE_int64], CAST, DTYPE_float64, DTYPE_int64);
  }
  return found;
}

// The meanings for the instruction set in use.
const Meanings& meanings() {
  static std::mutex lock;
  static std::unordered_map<const Kernels*, Meanings> all;
  thread_local const Kernels* last = nullptr;
  thread_local const Meanings* found = nullptr;
  if (last == &kernels()) return *found;
  const std::lock_guard<std::mutex> hold(lock);
  auto known = all.find(&kernels());
  if (known == all.end()) known = all.emplace(&kernels(), find_meanings(kernels())).first;
  last = &kernels();
  found = &known->second;
  return *found;
}

}  // namespace

bool has_chains() {
  static const bool permitted = MachineCode::make({0}) != nullptr;
  return kernels().encoding != ENCODING_none && permitted;
}

namespace {

Format format_of(Dtype dtype) {
  if (is_boolean(dtype)) return Format::BOOL;
  if (dtype == DTYPE_float16) return Format::FLOAT16;
  return dtype == DTYPE_bfloat16 ? Format::BFLOAT16 : Format::FULL;
}

}  // namespace

Format format_of_operand(kernel loop, ptrdiff_t itemsize) {
  if (itemsize == 1) return Format::BOOL;  // where() takes bools and others
  return itemsize == 2 ? format_of(meanings().at(loop).from) : Format::FULL;
}

Format format_of_result(kernel loop) { return format_of(meanings().at(loop).to); }

int chain_itemsize(kernel loop) {
  const Meanings& known = meanings();
  const auto found = known.find(loop);
  if (found == known.end()) return 0;
  return std::max(dtype_itemsize[found->second.from], dtype_itemsize[found->second.to]);
}

Chain::Chain(int itemsize) : itemsize(itemsize), encoding(kernels().encoding) {}

int16_t Chain::new_value(bool boolean) {
  booleans.push_back(boolean);
  return int16_t(booleans.size() - 1);
}

ptrdiff_t Chain::bytes_of(Format format) const {
  return format == Format::FULL ? itemsize : format == Format::BOOL ? 1 : 2;
}

int Chain::add_input(Format format, Extent extent, int ahead) {
  const bool boolean = format == Format::BOOL;
  const int16_t value = new_value(boolean);
  inputs.push_back({value, format, extent, int16_t(ahead)});
  if (boolean && encoding == ENCODING_vex) literal(0);  // to compare bytes with
  return value;
}

void Chain::add_output(int value, Format format, bool streamed) {
  outputs.push_back({int16_t(value), format, streamed});
  if (format == Format::BOOL && encoding == ENCODING_evex) literal(uint64_t(0x0101010101010101));
}

int16_t Chain::emit(Code code, bool boolean, int a, int b, int c, int detail) {
  const int16_t result = new_value(boolean);
  steps.push_back({code, uint8_t(detail), result, {int16_t(a), int16_t(b), int16_t(c)}});
  return result;
}

int16_t Chain::literal(uint64_t bits) {
  if (itemsize == 4) bits &= 0xFFFFFFFF;
  for (const Literal& known : literals) {
    if (known.bits == bits) return int16_t(known.value);
  }
  literals.push_back({new_value(false), bits});
  return int16_t(literals.back().value);
}

int16_t Chain::number(double value) {
  if (itemsize == 8) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return literal(bits);
  }
  const float single = float(value);
  uint32_t bits;
  std::memcpy(&bits, &single, sizeof(bits));
  return literal(bits);
}

int Chain::add_loop(kernel loop, const int* values) {
  const Meaning& meaning = meanings().at(loop);
  if (meaning.operation == CAST) {
    if (dtype_itemsize[meaning.from] == 2) return values[0];  // converted where it is loaded
    if (meaning.to == DTYPE_float16) return emit(ROUND_FLOAT16, false, values[0]);
    if (meaning.to == DTYPE_bfloat16) return lower_bfloat16(values[0]);
    if (is_boolean(meaning.from)) {
      return emit(KEEP, false, values[0], is_integer(meaning.to) ? literal(1) : number(1));
    }
    if (is_boolean(meaning.to)) {
      return is_integer(meaning.from)
                 ? emit(COMPARE_INTEGER, true, values[0], literal(0), -1, NOT_EQUAL)
                 : emit(COMPARE, true, values[0], number(0), -1, NOT_EQUAL);
    }
    return emit(is_integer(meaning.from) ? FLOAT_OF_INTEGER : INTEGER_OF_FLOAT, false, values[0]);
  }
  if (meaning.operation == OP_where) return emit(SELECT, false, values[0], values[1], values[2]);
  if (is_boolean(meaning.from)) return lower_boolean(meaning.operation, values);
  if (is_integer(meaning.from)) {
    return lower_integer(meaning.operation, is_signed(meaning.from), values);
  }
  return lower_float(meaning.operation, values);
}

// Rounds to 16 bits, to even. The addition must not turn a NaN into another number.
int16_t Chain::lower_bfloat16(int x) {
  const int16_t odd = emit(AND, false, emit(SHIFT_RIGHT, false, x, -1, -1, 16), literal(1));
  const int16_t up = emit(ADD_INTEGER, false, odd, literal(0x7FFF));
  const int16_t sum = emit(ADD_INTEGER, false, up, x);
  const int16_t quiet = emit(OR, false, x, literal(0x00400000));
  const int16_t is_nan = emit(COMPARE, true, x, x, -1, NOT_EQUAL);
  return emit(AND, false, emit(SELECT, false, is_nan, quiet, sum), literal(0xFFFF0000));
}

// A store rounds: what is not read before needs no rounding of its own.
void Chain::leave_out_rounding() {
  for (Output& output : outputs) {
    for (const Step& step : steps) {
      const bool rounds = step.code == ROUND_FLOAT16 && step.result == output.value;
      if (rounds && output.format == Format::FLOAT16) output.value = step.values[0];
    }
  }
  const auto is_unused = [this](const Step& step) {
    if (step.code != ROUND_FLOAT16) return false;
    const auto reads = [&](const Step& other) {
      return std::count(other.values, other.values + 3, step.result) > 0;
    };
    const auto stores = [&](const Output& output) { return output.value == step.result; };
    return std::none_of(steps.begin(), steps.end(), reads) &&
           std::none_of(outputs.begin(), outputs.end(), stores);
  };
  const auto found = std::find_if(steps.begin(), steps.end(), is_unused);
  if (found == steps.end()) return;
  steps.erase(found);
  leave_out_rounding();
}

int16_t Chain::lower_boolean(int operation, const int* values) {
  const int a = values[0], b = values[1];
  switch (operation) {
    case OP_logical_and:
    case OP_bitwise_and:
      return emit(MASK_AND, true, a, b);
    case OP_logical_or:
    case OP_bitwise_or:
      return emit(MASK_OR, true, a, b);
    case OP_logical_xor:
    case OP_bitwise_xor:
    case OP_not_equal:
      return emit(MASK_XOR, true, a, b);
    case OP_equal:
      return emit(MASK_NOT, true, emit(MASK_XOR, true, a, b));
    default:
      return emit(MASK_NOT, true, a);  // logical_not, bitwise_invert
  }
}

// Comparisons and what consists of them. compare(predicate, first, second) adds a mask,
// extreme(largest, first, second) the larger or the smaller of two values.
template <class Compare, class Extreme>
int16_t Chain::lower_comparison(int operation, const int* values, Compare compare,
                                Extreme extreme) {
  const int a = values[0], b = values[1];
  // The bits of 0 are those of integers and of floats.
  const auto truth = [&](int value) { return compare(NOT_EQUAL, value, literal(0)); };
  switch (operation) {
    case OP_maximum:
      return extreme(true, a, b);
    case OP_minimum:
      return extreme(false, a, b);
    case OP_clip:
      return extreme(false, extreme(true, a, b), values[2]);
    case OP_equal:
      return compare(EQUAL, a, b);
    case OP_not_equal:
      return compare(NOT_EQUAL, a, b);
    case OP_less:
      return compare(LESS, a, b);
    case OP_less_equal:
      return compare(LESS_EQUAL, a, b);
    case OP_greater:
      return compare(LESS, b, a);
    case OP_greater_equal:
      return compare(LESS_EQUAL, b, a);
    case OP_logical_and:
      return emit(MASK_AND, true, truth(a), truth(b));
    case OP_logical_or:
      return emit(MASK_OR, true, truth(a), truth(b));
    case OP_logical_xor:
      return emit(MASK_XOR, true, truth(a), truth(b));
    default:
      return compare(EQUAL, a, literal(0));  // logical_not
  }
}

int16_t Chain::lower_integer(int operation, bool is_signed, const int* values) {
  const int a = values[0], b = values[1];
  const auto compare = [&](Predicate predicate, int first, int second) {
    return emit(is_signed ? COMPARE_INTEGER : COMPARE_UNSIGNED, true, first, second, -1, predicate);
  };
  const auto extreme = [&](bool larger, int first, int second) {
    return emit(SELECT, false, larger ? compare(LESS, second, first) : compare(LESS, first, second),
                first, second);
  };
  switch (operation) {
    case OP_add:
      return emit(ADD_INTEGER, false, a, b);
    case OP_subtract:
      return emit(SUBTRACT_INTEGER, false, a, b);
    case OP_multiply:
      return emit(MULTIPLY_INTEGER, false, a, b);
    case OP_square:
      return emit(MULTIPLY_INTEGER, false, a, a);
    case OP_negative:
      return emit(SUBTRACT_INTEGER, false, literal(0), a);
    case OP_positive:
      return emit(OR, false, a, a);
    case OP_abs: {
      if (!is_signed) return emit(OR, false, a, a);
      const int16_t negative = compare(LESS, a, literal(0));
      return emit(SELECT, false, negative, emit(SUBTRACT_INTEGER, false, literal(0), a), a);
    }
    case OP_bitwise_and:
      return emit(AND, false, a, b);
    case OP_bitwise_or:
      return emit(OR, false, a, b);
    case OP_bitwise_xor:
      return emit(XOR, false, a, b);
    case OP_bitwise_invert:
      return emit(XOR, false, a, literal(~uint64_t(0)));
    default:
      return lower_comparison(operation, values, compare, extreme);
  }
}

int16_t Chain::lower_float(int operation, const int* values) {
  const int a = values[0], b = values[1];
  const uint64_t sign_bit = itemsize == 8 ? uint64_t(1) << 63 : uint64_t(1) << 31;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto compare = [&](Predicate predicate, int first, int second) {
    return emit(COMPARE, true, first, second, -1, predicate);
  };
  const auto magnitude = [&] { return emit(AND, false, a, literal(~sign_bit)); };
  const auto round = [&](int mode) { return emit(ROUND, false, a, -1, -1, mode | 8); };
  // The result is a NaN if an operand is, and the first of equal numbers.
  const auto extreme = [&](bool largest, int first, int second) {
    const int16_t found = emit(largest ? LARGER : SMALLER, false, second, first);
    return emit(SELECT, false, compare(NOT_EQUAL, second, second), second, found);
  };
  switch (operation) {
    case OP_add:
      return emit(ADD, false, a, b);
    case OP_subtract:
      return emit(SUBTRACT, false, a, b);
    case OP_multiply:
      return emit(MULTIPLY, false, a, b);
    case OP_divide:
      return emit(DIVIDE, false, a, b);
    case OP_reciprocal:
      return emit(DIVIDE, false, number(1), a);
    case OP_square:
      return emit(MULTIPLY, false, a, a);
    case OP_sqrt:
      return emit(SQRT, false, a);
    case OP_negative:
      return emit(XOR, false, a, literal(sign_bit));
    case OP_positive:
      return emit(OR, false, a, a);
    case OP_abs:
      return magnitude();
    case OP_copysign:
      return emit(OR, false, magnitude(), emit(AND, false, b, literal(sign_bit)));
    case OP_sign: {
      const int16_t positive = emit(KEEP, false, compare(LESS, number(0), a), number(1));
      const int16_t known = emit(SELECT, false, compare(NOT_EQUAL, a, a), a, positive);
      return emit(SELECT, false, compare(LESS, a, number(0)), number(-1), known);
    }
    case OP_round:
      return round(0);
    case OP_floor:
      return round(1);
    case OP_ceil:
      return round(2);
    case OP_trunc:
      return round(3);
    case OP_isnan:
      return compare(NOT_EQUAL, a, a);
    case OP_isinf:
      return compare(EQUAL, magnitude(), number(infinity));
    case OP_isfinite:
      return compare(LESS, magnitude(), number(infinity));
    case HALF_POWER: {
      const int16_t root = emit(SQRT, false, emit(ADD, false, a, number(0)));
      return emit(SELECT, false, compare(EQUAL, a, number(-infinity)), number(infinity), root);
    }
    case THIRD_POWER:
      return lower_power(3, a);
    case FOURTH_POWER:
      return lower_power(4, a);
    default:
      return lower_comparison(operation, values, compare, extreme);
  }
}

// As simd/power.cpp: the square and the power in double-double, rounded once.
int16_t Chain::lower_power(int degree, int x) {
  const int16_t square = emit(MULTIPLY, false, x, x);
  const int16_t square_rest = emit(MULTIPLY_SUBTRACT, false, x, x, square);
  const int other = degree == 3 ? x : square;
  const int16_t power = emit(MULTIPLY, false, square, other);
  const int16_t power_rest = emit(MULTIPLY_SUBTRACT, false, square, other, power);
  const int16_t rest = degree == 3 ? emit(MULTIPLY_ADD, false, square_rest, x, power_rest)
                                   : emit(MULTIPLY_ADD, false, square,
                                          emit(ADD, false, square_rest, square_rest), power_rest);
  const uint64_t sign_bit = itemsize == 8 ? uint64_t(1) << 63 : uint64_t(1) << 31;
  const int16_t size = emit(AND, false, power, literal(~sign_bit));
  const int16_t usual =
      emit(MASK_AND, true, emit(COMPARE, true, number(0), size, -1, LESS),
           emit(COMPARE, true, size, number(std::numeric_limits<double>::infinity()), -1, LESS));
  return emit(SELECT, false, usual, emit(ADD, false, power, rest), power);
}

// The key of the code in the cache: everything that the code depends on.
std::string Chain::key() const {
  std::string text;
  const auto put = [&](const auto& items) {
    const size_t n = items.size();
    text.append(reinterpret_cast<const char*>(&n), sizeof(n));
    text.append(reinterpret_cast<const char*>(items.data()), n * sizeof(items[0]));
  };
  text.push_back(char(itemsize));
  text.push_back(char(encoding));
  put(inputs);
  put(outputs);
  put(steps);
  put(literals);
  return text;
}

void Chain::translate() {
  // Cache of generated code, by the structure of the chain. It is emptied when full; chains keep
  // references to their code.
  constexpr size_t most = 1024;
  static std::mutex lock;
  static std::unordered_map<std::string, std::shared_ptr<const MachineCode>> library;
  leave_out_rounding();
  const std::string name = key();
  std::unique_lock<std::mutex> hold(lock);
  const auto known = library.find(name);
  if (known != library.end()) {
    code = known->second;
    return;
  }
  hold.unlock();
  code = MachineCode::make(Translation(*this).finish());
  if (!code) throw std::bad_alloc();
  hold.lock();
  if (library.size() >= most) library.clear();
  library[name] = code;
}

// The last argument of the code: which lanes of the last vector of a row are computed.
uintptr_t Chain::tail_of(ptrdiff_t elements) const {
  if (encoding == ENCODING_evex) return (uintptr_t(1) << elements) - 1;
  constexpr int words = 8;  // of 4 bytes, of a vector
  static constexpr int32_t lanes[2 * words] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return elements ? reinterpret_cast<uintptr_t>(lanes + words - elements * itemsize / 4) : 0;
}

void Chain::run(ptrdiff_t rows, ptrdiff_t n, char** operands, const ptrdiff_t* steps) const {
  typedef void function(char** operands, ptrdiff_t whole, ptrdiff_t rows, const ptrdiff_t* steps,
                        uintptr_t tail);
  function* const compute = code->entry<function>();
  const ptrdiff_t lanes = (encoding == ENCODING_evex ? 64 : 32) / itemsize;
  const ptrdiff_t rest = n % lanes, whole = n - rest;
  const auto is_narrow = [](const auto& operand) { return operand.format != Format::FULL; };
  if (rows > 1 || rest == 0 ||
      (std::none_of(inputs.begin(), inputs.end(), is_narrow) &&
       std::none_of(outputs.begin(), outputs.end(), is_narrow))) {
    compute(operands, whole, rows, steps, tail_of(rest));
    return;
  }
  // Vectors of bools and halves have no lanes: the last ones are copied to and from memory with
  // padding.
  char bytes[MAX_OPERANDS][PADDING];
  if (whole) compute(operands, whole, 1, steps, 0);
  char* at[MAX_OPERANDS];
  size_t k = 0;
  for (const Operand& input : inputs) {
    at[k] = operands[k];
    const ptrdiff_t size = bytes_of(input.format);
    if (input.extent == EACH) at[k] += whole * size;
    if (is_narrow(input)) {
      at[k] = static_cast<char*>(std::memcpy(bytes[k], at[k], size_t(rest * size)));
    }
    k++;
  }
  for (const Output& output : outputs) {
    at[k] = is_narrow(output) ? bytes[k] : operands[k] + whole * itemsize;
    k++;
  }
  compute(at, 0, 1, steps, tail_of(rest));
  k = inputs.size();
  for (const Output& output : outputs) {
    const ptrdiff_t size = bytes_of(output.format);
    if (is_narrow(output)) std::memcpy(operands[k] + whole * size, bytes[k], size_t(rest * size));
    k++;
  }
}

}  // namespace corepy
