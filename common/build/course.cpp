#include "build/course.hpp"

#include <fmt/format.h>

#include "lab/lab_definition.hpp"
#include "support/installation.hpp"

namespace lab::judge {

void require_course() {
  if (!here().in_course())
    throw usage_error("this folder belongs to no course; lab start mycourse makes one, then: cd mycourse");
}

void require_solutions() {
  require_course();
  if (!exists(here().root / "solutions"))
    throw usage_error("this course has no solutions; lab start DIR --with solutions makes one that has them");
}

void require_checkout(std::string_view command) {
  if (!here().is_checkout() || here().root != here().home)
    throw usage_error(fmt::format("{} needs a checkout of Kernel Lab, because it uses the sources", command));
}

}  // namespace lab::judge
