#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/shared_commands.hpp"
#include "lab/fitting_sizes.hpp"
#include "model/modelled_kernel.hpp"

namespace lab::cli {

namespace {

using nlohmann::json;

json to_json(const judge::launch_demand& d) {
  return {{"kernel", d.kernel},
          {"blocks", d.blocks},
          {"threads", d.threads},
          {"shared_bytes", d.shared_bytes},
          {"registers", d.registers},
          {"instructions", d.instructions},
          {"fp32", d.fp32},
          {"shared_wavefronts", d.shared_wavefronts},
          {"bank_conflicts", d.bank_conflicts},
          {"l1_cycles", d.l1_cycles},
          {"l1_requests", d.l1_requests},
          {"l2_sectors", d.l2_sectors},
          {"wasted_sectors", d.wasted_sectors},
          {"scattered_sectors", d.scattered_sectors},
          {"dram_read_bytes", d.dram_read_bytes},
          {"dram_written_bytes", d.dram_written_bytes},
          {"busiest_atomics", d.busiest_atomics},
          {"rounds", d.rounds},
          {"hidden_rounds", d.hidden_rounds},
          {"round_latency_share", d.round_latency_share},
          {"dram_latency_share", d.dram_latency_share},
          {"chain", d.chain},
          {"barriers", d.barriers},
          {"shared_exposures", d.shared_exposures},
          {"serial", d.serial}};
}

json row_of(const kernel_job& job, judge::kernel_counter& counter, const launcher_spec& launcher,
            const problem_size& size, const judge::gpu_parameters& gpu) {
  const auto kernel = judge::model(counter, {{launcher, size}}, gpu).front();
  json row{{"lab", job.lab->name}, {"variant", job.variant.word}, {"launcher", launcher.name}, {"size", size.name()}};
  if (!kernel.known()) return row["problem"] = kernel.problem, row;
  row.update({{"us", kernel.time.us},
              {"limit", judge::words(kernel.time.largest)},
              {"balanced", kernel.time.balanced},
              {"registers_from", kernel.compiled_registers ? "nvcc" : "estimate"}});
  for (std::size_t i = 0; i < kernel.demands.size(); ++i) {
    row["launches"].push_back(to_json(kernel.demands[i]));
    row["launches"].back()["us"] = kernel.time.launches[i].us;
    row["launches"].back()["each_us"] = kernel.time.launches[i].each_us;
  }
  return row;
}

}  // namespace

static void add_model(command_line app, int&) {
  auto command =
      app.add_subcommand("model", "Print what the time model knows of a kernel: one line of JSON for each size");
  auto flags = std::make_shared<common_flags>();
  auto name = std::make_shared<std::string>("h200");
  auto wanted = std::make_shared<std::string>();
  add_flags(command, *flags);
  command.add_option("--gpu", *name, "the GPU whose time is modelled");
  command.add_option("--launcher", *wanted, "only this launcher");
  command.callback([flags, name, wanted] {
    judge::bench_options options;
    fill(options, *flags);
    options.timeout_s = std::max(options.timeout_s, 60.0);
    const auto& gpu = judge::find_gpu(*name);
    for (const auto& job : chosen_jobs(*flags)) {
      judge::kernel_counter counter{*job.lab, job.variant.source, options};
      for (const auto& launcher : job.lab->definition.launchers)
        for (const auto& size : sizes_for(launcher, options.sizes, launcher.time_sizes))
          if (wanted->empty() || *wanted == launcher.name) {
            fmt::print("{}\n", row_of(job, counter, launcher, size, gpu).dump());
            std::fflush(stdout);
          }
    }
  });
}

namespace {

const command_registration registered_model{audience::hidden, add_model};

}  // namespace

}  // namespace lab::cli
