#include "lab/element.hpp"

namespace lab {

std::string_view spelling(element type) {
  switch (type) {
    case element::i32:
      return "int";
    case element::u32:
      return "unsigned";
    case element::i64:
      return "long";
    case element::f32:
      return "float";
    case element::f64:
      return "double";
    case element::u8:
      return "unsigned char";
    case element::u16:
      return "unsigned short";
  }
  return "?";
}

}  // namespace lab
