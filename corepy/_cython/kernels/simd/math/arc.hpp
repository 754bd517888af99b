// Constants of inverse trigonometric functions.
#pragma once

#include "../vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// ATAN: atan(x) = x + x * z * polynomial(z), z = x^2, |x| <= 1/2; of Wide to 1.
// ASIN: asin(x) likewise, |x| <= 1/2.
// From tools/trig_coefficients.py. Wide is float64 for elements of float32, where one float64 is
// accurate enough.
template <class T>
struct Arc;

template <>
struct Arc<double> {
  using element = double;
  static constexpr bool ONE_WORD = false;
  static constexpr double PI = 3.141592653589793, PI_LOW = 1.2246467991473532e-16;
  // Denominators beyond these are scaled, so that remainders neither overflow nor underflow.
  static constexpr double MOST = 0x1p900, LEAST = 0x1p-500, SCALE = 0x1p600;
  static constexpr double ATAN[] = {
      -0.3333333333333298,  0.19999999999903104,  -0.14285714276385764,  0.11111110659670262,
      -0.09090896246950132, 0.07692073973514123,  -0.0666381154994697,   0.058583075650442094,
      -0.0512205549039106,  0.041866773545558206, -0.027438292757801633, 0.010119596915500385,
  };
  static constexpr double ASIN[] = {
      0.1666666666666676,   0.07499999999970865,  0.04464285717456665,  0.030381942709387894,
      0.022372214954365532, 0.017351612444069096, 0.0139808170139612,   0.011398930020287816,
      0.01078020637373498,  0.003706408417608324, 0.021707825969766503, -0.021000078141310333,
      0.0326295306052265,
  };
};

template <>
struct Arc<float> {
  using element = float;
  static constexpr bool ONE_WORD = false;
  static constexpr float PI = 3.1415927f, PI_LOW = -8.742278e-08f;
  static constexpr float MOST = 0x1p100f, LEAST = 0x1p-60f, SCALE = 0x1p60f;
  static constexpr float ATAN[] = {-0.33333233f, 0.19994168f, -0.14174204f, 0.101557024f,
                                   -0.05124746f};
  static constexpr float ASIN[] = {
      0.1666666f, 0.07500522f, 0.044513382f, 0.031838845f, 0.014316893f, 0.03769196f,
  };
};

struct Wide {};
template <>
struct Arc<Wide> {
  using element = double;
  static constexpr bool ONE_WORD = true;
  static constexpr double PI = 3.141592653589793, PI_LOW = 0;
  static constexpr double MOST = 0x1p900, LEAST = 0x1p-500, SCALE = 0x1p600;
  static constexpr double ATAN[] = {
      -0.3333333333196333,   0.19999999853503153,  -0.14285708765871313,    0.11111005091383509,
      -0.09089687422036903,  0.07683048578747989,  -0.06617733193176496,    0.05694664684500938,
      -0.047251067122150284, 0.03581150641100213,  -0.023177434585021982,   0.011879810520838079,
      -0.004409277121677353, 0.001036939399973518, -0.00011486905639120536,
  };
  static constexpr double ASIN[] = {
      0.16666666669637709,  0.07499999533117677,    0.04464310914128239,
      0.030375304437088267, 0.022470459846521643,   0.016483611597597765,
      0.018606809654409282, -0.0028073862304739045, 0.031913686010730385,
  };
};

}  // namespace COREPY_TARGET
}  // namespace corepy
