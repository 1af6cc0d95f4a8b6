#include "protocol/launch_recording.hpp"

#include <algorithm>
#include <cstring>
#include <set>

namespace lab::replay {

namespace {

constexpr std::uint64_t magic = 0x3165'7061'7462'616c;  // "labtape1"

class writer {
 public:
  template <class T>
  void number(T value) {
    many(std::span<const T>{&value, 1});
  }
  template <class T>
  void many(std::span<const T> values) {
    const auto raw = std::as_bytes(values);
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  }
  template <class T>
  void list(const std::vector<T>& values) {
    number<std::uint64_t>(values.size());
    many(std::span<const T>{values});
  }
  void names(const std::vector<std::string>& all) {
    number<std::uint64_t>(all.size());
    for (const auto& name : all) list(std::vector<char>(name.begin(), name.end()));
  }

  std::vector<std::byte> bytes;
};

class reader {
 public:
  explicit reader(std::span<const std::byte> left) : left_{left} {}

  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> list(std::uint64_t most, const char* of) {
    const auto count = number<std::uint64_t>();
    if (count > most)
      throw malformed(std::to_string(count) + " " + of + ", at most " + std::to_string(most) + " may be");
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), take(count * sizeof(T)).data(), count * sizeof(T));
    return values;
  }
  std::vector<std::string> names(const char* of) {
    const auto count = number<std::uint64_t>();
    if (count > most_names) throw malformed(std::to_string(count) + " " + of);
    std::vector<std::string> all;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto letters = list<char>(name_length, "letters in a name");
      all.emplace_back(letters.begin(), letters.end());
    }
    return all;
  }

 private:
  std::span<const std::byte> take(std::size_t bytes) {
    if (bytes > left_.size()) throw malformed("it ends too early");
    const auto part = left_.first(bytes);
    left_ = left_.subspan(bytes);
    return part;
  }

  std::span<const std::byte> left_;
};

std::string plural(std::size_t count, const std::string& what) {
  const bool hiss = what.ends_with("h");
  return std::to_string(count) + " " + what + (count == 1 ? "" : hiss ? "es" : "s");
}

}  // namespace

std::vector<std::byte> to_bytes(const launch_recording& r) {
  writer w;
  w.number(magic);
  w.number(r.address);
  w.number(r.images);
  w.number(r.scratch);
  w.number(r.events);
  w.list(r.streams);
  w.names(r.kernels);
  w.names(r.globals);
  w.list(r.operations);
  w.list(r.data);
  return std::move(w.bytes);
}

launch_recording from_bytes(std::span<const std::byte> bytes) {
  reader in{bytes};
  if (in.number<std::uint64_t>() != magic) throw malformed("it does not begin like a tape");
  launch_recording r;
  r.address = in.number<std::uint64_t>();
  r.images = in.number<std::uint64_t>();
  r.scratch = in.number<std::uint64_t>();
  r.events = in.number<std::uint32_t>();
  r.streams = in.list<std::uint32_t>(most_streams, "streams");
  r.kernels = in.names("kernels");
  r.globals = in.names("global variables");
  r.operations = in.list<operation>(most_operations, "operations");
  r.data = in.list<std::byte>(most_data, "bytes of data");
  check(r);
  return r;
}

std::string summary(const launch_recording& r) {
  const auto count = [&](action a) { return std::size_t(std::ranges::count(r.operations, a, &operation::what)); };
  std::set<std::uint32_t> launched;
  for (const auto& o : r.operations)
    if (o.what == action::launch) launched.insert(o.index);
  auto text = plural(count(action::launch), "launch") + " of " + plural(launched.size(), "kernel");
  if (const auto n = count(action::fill)) text += ", " + plural(n, "fill");
  if (const auto n = count(action::copy)) text += ", " + std::to_string(n) + (n == 1 ? " copy" : " copies");
  if (!r.streams.empty()) text += ", " + plural(r.streams.size(), "stream") + " of its own";
  if (r.scratch > 0) text += ", " + plural(r.scratch, "byte") + " of scratch memory";
  return text;
}

void move_pointers(std::span<std::byte> parameters, std::uint64_t from, std::uint64_t bytes, std::uint64_t to) {
  for (std::size_t at = 0; at + sizeof from <= parameters.size(); at += sizeof from) {
    std::uint64_t word = 0;
    std::memcpy(&word, parameters.data() + at, sizeof word);
    if (word < from || word - from > bytes) continue;
    word = word - from + to;
    std::memcpy(parameters.data() + at, &word, sizeof word);
  }
}

}  // namespace lab::replay
