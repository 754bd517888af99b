// Conversion of elements with any step to a loop's input: contiguous, and possibly of another type.
// Many dtypes share a loop over the widest.
#pragma once

#include "elements.hpp"
#include "packing.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

constexpr ptrdiff_t CONVERTED = 128;  // elements that are packed and then converted at once

struct Reader {
  ptrdiff_t source, element;  // bytes, in memory and as the loop takes them
  // Contiguous elements; nullptr: both are the same.
  void (*convert)(ptrdiff_t n, char* out, const char* in);

  // The address of n elements: in place if they need no conversion, otherwise `packed`.
  const char* read(ptrdiff_t n, char* packed, const char* in, ptrdiff_t step) const {
    if (!convert && step == source) return in;
    copy(n, packed, in, step);
    return packed;
  }
  void copy(ptrdiff_t n, char* out, const char* in, ptrdiff_t step) const {
    if (!convert) {
      if (step == source) {
        std::memcpy(out, in, size_t(n * source));
      } else {
        pack(source, n, out, in, step);
      }
      return;
    }
    if (step == source) return convert(n, out, in);
    alignas(64) char same[CONVERTED * MAX_ITEMSIZE];
    for (ptrdiff_t start = 0; start < n; start += CONVERTED) {
      const ptrdiff_t length = n - start < CONVERTED ? n - start : CONVERTED;
      pack(source, length, same, in + start * step, step);
      convert(length, out + start * element, same);
    }
  }
};

template <class To, class From>
inline To element_as(From a) {
  if constexpr (is_complex<To>) {
    return {a.real, a.imag};
  } else if constexpr (is_bool<From> || is_complex<From>) {
    return To(truth(a));
  } else {
    return To(a);
  }
}
template <class To, class From>
void convert_elements(ptrdiff_t n, char* to, const char* from) {
  To* const out = reinterpret_cast<To*>(to);
  const From* const in = reinterpret_cast<const From*>(from);
  COREPY_INDEPENDENT
  for (ptrdiff_t i = 0; i < n; i++) out[i] = element_as<To>(in[i]);
}

template <class To, class From>
constexpr Reader reader() {
  Reader result = {sizeof(From), sizeof(To), nullptr};
  if constexpr (!std::is_same_v<To, From>) result.convert = convert_elements<To, From>;
  return result;
}

}  // namespace COREPY_TARGET
}  // namespace corepy
