#include "grade/course/record_log.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

namespace lab::grade {

record_log::record_log(const std::filesystem::path& file)
    : file_{open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600)} {
  if (!file_) throw std::system_error(errno, std::generic_category(), "opening " + file.string());
  if (flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
    throw busy_log("another lab grade is at work in " + file.parent_path().parent_path().string());
  read(file);
}

void record_log::read(const std::filesystem::path& file) {
  std::ifstream in{file};
  for (std::string line; std::getline(in, line);) {
    const auto j = nlohmann::json::parse(line, nullptr, false);
    if (!j.is_object()) continue;
    auto r = row_from(j);
    if (r.verdict != verdict_kind::infra_error) rows_[r.key] = std::move(r);
  }
}

void record_log::add(const row& r) {
  // Should the last writer have died within a line, this one begins anew.
  const auto line = "\n" + to_json(r).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t put = write(file_.get(), line.data() + done, line.size() - done);
    if (put < 0) throw std::system_error(errno, std::generic_category(), "writing the log");
    done += static_cast<std::size_t>(put);
  }
  if (fdatasync(file_.get()) != 0) throw std::system_error(errno, std::generic_category(), "writing the log");
  if (r.verdict != verdict_kind::infra_error) rows_[r.key] = r;
}

}  // namespace lab::grade
