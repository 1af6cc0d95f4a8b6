#include "protocol/launch_recording.hpp"

#include <algorithm>
#include <cstring>
#include <set>

namespace lab::replay {

namespace {

constexpr std::uint64_t magic = 0x3130'6365'7262'616c;  // "labrec01"

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
  explicit reader(std::span<const std::byte> bytes) : rest_{bytes} {}

  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> list(std::uint64_t most, const char* of) {
    const auto count = number<std::uint64_t>();
    if (count > most) throw malformed(std::to_string(count) + " " + of + ", more than " + std::to_string(most));
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), take(count * sizeof(T)).data(), count * sizeof(T));
    return values;
  }
  std::vector<std::string> names(const char* of) {
    const auto count = number<std::uint64_t>();
    if (count > most_names)
      throw malformed(std::to_string(count) + " " + of + ", more than " + std::to_string(most_names));
    std::vector<std::string> all;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto characters = list<char>(name_length, "characters in a name");
      all.emplace_back(characters.begin(), characters.end());
    }
    return all;
  }

 private:
  std::span<const std::byte> take(std::size_t bytes) {
    if (bytes > rest_.size()) throw malformed("it is truncated");
    const auto part = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return part;
  }

  std::span<const std::byte> rest_;
};

std::string plural(std::size_t count, const std::string& what) {
  const bool ends_in_h = what.ends_with("h");
  return std::to_string(count) + " " + what + (count == 1 ? "" : ends_in_h ? "es" : "s");
}

}  // namespace

std::vector<std::byte> to_bytes(const launch_recording& recording) {
  writer target;
  target.number(magic);
  target.number(recording.address);
  target.number(recording.array_bytes);
  target.number(recording.scratch_bytes);
  target.number(recording.events);
  target.list(recording.streams);
  target.names(recording.kernels);
  target.names(recording.globals);
  target.list(recording.operations);
  target.list(recording.data);
  return std::move(target.bytes);
}

launch_recording from_bytes(std::span<const std::byte> bytes) {
  reader source{bytes};
  if (source.number<std::uint64_t>() != magic) throw malformed("it has no header of a recording");
  launch_recording recording;
  recording.address = source.number<std::uint64_t>();
  recording.array_bytes = source.number<std::uint64_t>();
  recording.scratch_bytes = source.number<std::uint64_t>();
  recording.events = source.number<std::uint32_t>();
  recording.streams = source.list<std::uint32_t>(most_streams, "streams");
  recording.kernels = source.names("kernels");
  recording.globals = source.names("global variables");
  recording.operations = source.list<operation>(most_operations, "operations");
  recording.data = source.list<std::byte>(most_data, "bytes of data");
  check(recording);
  return recording;
}

std::string summary(const launch_recording& recording) {
  const auto count = [&](action kind) {
    return std::size_t(std::ranges::count(recording.operations, kind, &operation::what));
  };
  std::set<std::uint32_t> launched;
  for (const auto& op : recording.operations)
    if (op.what == action::launch) launched.insert(op.index);
  auto text = plural(count(action::launch), "launch") + " of " + plural(launched.size(), "kernel");
  if (const auto number = count(action::fill)) text += ", " + plural(number, "fill");
  if (const auto number = count(action::copy))
    text += ", " + std::to_string(number) + (number == 1 ? " copy" : " copies");
  if (!recording.streams.empty()) text += ", " + plural(recording.streams.size(), "stream") + " of its own";
  if (recording.scratch_bytes > 0) text += ", " + plural(recording.scratch_bytes, "byte") + " of scratch memory";
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
