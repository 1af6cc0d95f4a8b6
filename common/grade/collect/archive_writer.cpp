#include "grade/collect/archive_writer.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <stdexcept>

#include "lab/lab_definition.hpp"

namespace lab::grade {

namespace fs = std::filesystem;

archive_form form_of(const fs::path& file) {
  const auto name = file.filename().string();
  if (name.size() > 4 && name.ends_with(".zip")) return archive_form::zip;
  if ((name.size() > 7 && name.ends_with(".tar.gz")) || (name.size() > 4 && name.ends_with(".tgz")))
    return archive_form::tar_gz;
  throw usage_error(fmt::format("{} is no archive that the grader opens; end its name with .zip or .tar.gz", name));
}

void archive_writer::free_archive::operator()(archive* opened) const { archive_write_free(opened); }

archive_writer::archive_writer(const fs::path& file, archive_form form)
    : file_{file}, part_{fs::path{file}.concat(".part")}, archive_{archive_write_new()} {
  if (form == archive_form::zip) {
    archive_write_set_format_zip(archive_.get());
  } else {
    archive_write_add_filter_gzip(archive_.get());
    archive_write_set_format_pax_restricted(archive_.get());
  }
  check(archive_write_open_filename(archive_.get(), part_.c_str()));
}

archive_writer::~archive_writer() {
  std::error_code ignored;
  fs::remove(part_, ignored);
}

void archive_writer::add(const std::string& name, std::string_view text, bool program, std::time_t changed) {
  const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry{archive_entry_new(), archive_entry_free};
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), program ? 0755 : 0644);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(text.size()));
  if (changed != 0) archive_entry_set_mtime(entry.get(), changed, 0);
  check(archive_write_header(archive_.get(), entry.get()));
  if (archive_write_data(archive_.get(), text.data(), text.size()) != static_cast<la_ssize_t>(text.size()))
    throw std::runtime_error(archive_error_string(archive_.get()));
}

void archive_writer::close() {
  check(archive_write_close(archive_.get()));
  fs::rename(part_, file_);
}

void archive_writer::check(int status) {
  if (status != ARCHIVE_OK) throw std::runtime_error(archive_error_string(archive_.get()));
}

}  // namespace lab::grade
