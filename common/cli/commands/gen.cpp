#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "cli/output/case_file.hpp"
#include "judge/session.hpp"
#include "judge/test_case.hpp"
#include "support/random_seed.hpp"

namespace lab::cli {

namespace {

struct order {
  std::string which, launcher, size, kind = "real", file;
  std::uint64_t seed = 0;
};

problem_size wanted_size(const order& o, const launcher_spec& c) {
  if (o.size.empty()) return c.check_sizes.back();
  const auto s = problem_size::parse(o.size);
  if (!s || s->axes() != c.axes.size())
    throw usage_error(fmt::format("--size {}: a size of {} is {} positive numbers joined by x, such as {}", o.size,
                                  c.name, c.axes.size(), c.check_sizes.back().name()));
  return *s;
}

void generate(const order& o) {
  const auto& lab = find(o.which);
  const auto& c = launcher_named(lab, o.launcher);
  const auto s = wanted_size(o, c);
  const auto kind = o.kind == "real" ? inputs::real : inputs::lattice;
  write_case(o.file, lab, {c, s, drawn(c, s, o.seed, kind)}, false);
  fmt::print("{}: {} {} from seed {}\nNext: ./lab run {} --input {} --output out.npz\n", o.file, c.name, s.name(),
             o.seed, lab.name.substr(0, 2), o.file);
}

}  // namespace

static void add_gen(CLI::App& app, int&) {
  auto* command = app.add_subcommand("gen", "Write the inputs of a case to a file that NumPy and ./lab run can read");
  auto o = std::make_shared<order>();
  command->add_option("lab", o->which, "a lab (4, 04, padded)")->required()->type_name("NN");
  command->add_option("--launcher", o->launcher, "which of the lab's launchers (default: the first)");
  command->add_option("--size", o->size, "such as 2000x33 (default: the largest of the lab's checks)")
      ->type_name("SIZE");
  auto* seed = command->add_option("--seed", o->seed, "draw the inputs from this seed (default: a fresh one)");
  command->add_option("--kind", o->kind, "floats: real numbers, or whole ones whose sums are exact")
      ->check(CLI::IsMember({"real", "lattice"}))
      ->capture_default_str();
  command->add_option("-o,--output", o->file, "the .npz file to write")->required()->type_name("FILE");
  command->footer("Example: ./lab gen 08 --size 1000x777 --seed 1 -o case.npz");
  command->callback([o, seed] {
    if (seed->count() == 0) o->seed = fresh_seed();
    generate(*o);
  });
}

namespace {

const command_registration registered{audience::learn, add_gen};

}  // namespace

}  // namespace lab::cli
