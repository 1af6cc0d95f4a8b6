#include "diagnosis/diagnosis.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "catch.hpp"
#include "diagnosis/mismatch_message.hpp"
#include "judge/compare.hpp"
#include "lab/random_inputs.hpp"
#include "text/printed_output.hpp"

using namespace lab;
using namespace lab::judge;

namespace {

// An output as a kernel with a certain mistake leaves it behind.
template <class T>
struct mistaken {
  using rule = std::function<T(std::int64_t)>;

  explicit mistaken(array_shape s) : extents{std::move(s)} {
    for (std::int64_t i = 0; i < count(extents); ++i) {
      expected.push_back(static_cast<T>((i * 7919 + 13) % 10007 + 1));
      before.push_back(static_cast<T>(1'400'000'000 + i % 1000));
    }
    actual = before;
  }

  // What the kernel writes where `where` holds; elsewhere it writes nothing.
  mistaken& write(
      const rule& value, const std::function<bool(std::int64_t)>& where = [](auto) { return true; }) {
    for (std::int64_t i = 0; i < count(extents); ++i)
      if (where(i)) actual[i] = value(i);
    return *this;
  }
  mistaken& right(const std::function<bool(std::int64_t)>& where) {
    return write([this](std::int64_t i) { return expected[i]; }, where);
  }

  template <class F>
  auto with_mismatch(F f) const {
    const auto raw = [](const auto& v) { return std::as_bytes(std::span{v}); };
    const output_view view{element_of<T>(), raw(actual), raw(before), raw(expected), {}};
    const auto result = compare(view, {});
    return f(mismatch{"out", extents, view, result, inputs, names, on_host});
  }
  std::string word() const {
    return with_mismatch([](const mismatch& wrong) { return std::string{judge::word(diagnose(wrong).front().kind)}; });
  }

  array_shape extents;
  std::vector<T> expected, before, actual;
  arguments inputs{};
  std::vector<std::string> names{"in", "out"};
  bool on_host = false;
};

using ints = mistaken<int>;
constexpr auto garbage = [](std::int64_t i) { return static_cast<int>(i * i % 9973 + 20000); };

}  // namespace

TEST_CASE("an output that nobody wrote is untouched") {
  CHECK(ints({100}).word() == "untouched");
  CHECK(ints({1, 1}).word() == "untouched");
}

TEST_CASE("only the last element wrong is told from a last block wrong") {
  CHECK(ints({1000}).right([](auto i) { return i < 999; }).word() == "last_element");
  CHECK(ints({30, 50}).right([](auto i) { return i < 1499; }).word() == "last_element");
  CHECK(ints({1000}).right([](auto i) { return i < 768; }).word() == "partial_block");
}

TEST_CASE("a wrong right edge, bottom edge or both is a partial block") {
  CHECK(ints({100, 270}).right([](auto i) { return i % 270 < 256; }).word() == "partial_block");
  CHECK(ints({100, 270}).right([](auto i) { return i / 270 < 96; }).word() == "partial_block");
  CHECK(ints({100, 270}).right([](auto i) { return i / 270 < 96 && i % 270 < 256; }).word() == "partial_block");
}

TEST_CASE("where one column is left over, both its explanations are offered") {
  const auto m = ints({100, 257}).right([](auto i) { return i % 257 < 256; });
  const auto all = m.with_mismatch([](const mismatch& e) { return diagnose(e); });
  REQUIRE(all.size() >= 2);
  CHECK(word(all[0].kind) == "last_element");
  CHECK(word(all[1].kind) == "partial_block");
}

TEST_CASE("only the first block right is recognised in one and in two dimensions") {
  CHECK(ints({10'000}).right([](auto i) { return i < 256; }).word() == "first_block_only");
  CHECK(ints({100, 257}).right([](auto i) { return i / 257 < 32 && i % 257 < 32; }).word() == "first_block_only");
}

TEST_CASE("a launch of too few threads stops short") {
  CHECK(ints({10'000}).right([](auto i) { return i < 5120; }).word() == "stops_short");
}

TEST_CASE("every k-th element wrong is a comb") {
  CHECK(ints({10'000}).right([](auto i) { return i % 4 != 0; }).word() == "every_kth");
  CHECK(ints({10'000}).right([](auto i) { return i % 256 != 255; }).word() == "every_kth");
  CHECK(ints({64, 64}).right([](auto i) { return i % 2 == 0; }).word() == "every_kth");
}

TEST_CASE("holes that repeat in every tile are told from wrong values that do") {
  const auto upper_rows = [](auto i) { return i / 257 % 32 < 8; };
  CHECK(ints({100, 257}).right(upper_rows).word() == "tile_holes");
  CHECK(ints({100, 257}).write(garbage).right(upper_rows).word() == "missing_barrier");
}

TEST_CASE("rows and columns that changed places are recognised") {
  ints m{{30, 50}};
  CHECK(m.write([&](auto i) { return m.expected[i % 30 * 50 + i / 30]; }).word() == "rows_and_columns_swapped");
}

TEST_CASE("rows and columns that changed places inside tiles, or tiles that did, are recognised") {
  ints inside{{64, 96}}, between{{64, 96}};
  const auto swap_inside = [](auto i) {
    return (i / 96 / 32 * 32 + i % 96 % 32) * 96 + i % 96 / 32 * 32 + i / 96 % 32;
  };
  const auto swap_between = [](auto i) { return (i % 96 / 32 * 32 + i / 96 % 32) * 96 + i / 96 / 32 * 32 + i % 32; };
  CHECK(inside.write([&](auto i) { return inside.expected[swap_inside(i)]; }).word() == "rows_and_columns_swapped");
  between.write([&](auto i) { return swap_between(i) < 6144 ? between.expected[swap_between(i)] : garbage(i); });
  CHECK(between.word() == "rows_and_columns_swapped");
}

TEST_CASE("a copy of an input is recognised as such") {
  ints m{{30, 50}};
  m.inputs = {{parameter_role::input, element::i32, {50, 30}, std::vector<std::byte>(6000)},
              {parameter_role::output, element::i32, {30, 50}, {}}};
  for (int i = 0; i < 1500; ++i) m.inputs[0].as<int>()[i] = garbage(i);
  CHECK(m.write(garbage).word() == "echo");
}

TEST_CASE("a shift by one element or by one row is off by one") {
  ints vector{{1000}}, matrix{{30, 50}};
  CHECK(vector.write([&](auto i) { return vector.expected[std::min<std::int64_t>(i + 1, 999)]; }).word() ==
        "off_by_one");
  CHECK(matrix.write([&](auto i) { return matrix.expected[(i + 1450) % 1500]; }).word() == "off_by_one");
}

TEST_CASE("only the first element, row or column wrong is off by one") {
  CHECK(ints({1000}).right([](auto i) { return i > 0; }).word() == "off_by_one");
  CHECK(ints({30, 50}).right([](auto i) { return i >= 50; }).word() == "off_by_one");
  CHECK(ints({30, 50}).right([](auto i) { return i % 50 > 0; }).word() == "off_by_one");
  CHECK(ints({30, 50}).right([](auto i) { return i >= 50 && i % 50 > 0; }).word() == "off_by_one");
}

TEST_CASE("a constant offset is no constant factor, and a sum that wraps around is still a sum") {
  ints lower{{1000}}, wrapping{{1000}};
  CHECK(lower.write([&](auto i) { return lower.expected[i] - 1; }).word() == "constant_offset");
  for (int& e : wrapping.expected) e += 1'200'000'000;
  wrapping.write([&](auto i) { return static_cast<int>(1u * wrapping.before[i] + wrapping.expected[i]); });
  CHECK(wrapping.word() == "adds_to_output");
}

TEST_CASE("a constant factor and a sum with the old contents are told apart") {
  ints doubled{{1000}}, added{{1000}};
  CHECK(doubled.write([&](auto i) { return 2 * doubled.expected[i]; }).word() == "constant_factor");
  CHECK(added.write([&](auto i) { return added.before[i] + added.expected[i]; }).word() == "adds_to_output");
}

TEST_CASE("NaN and small errors in floating point have words of their own") {
  mistaken<float> undefined{{1000}}, coarse{{1000}};
  CHECK(undefined.write([](auto) { return std::numeric_limits<float>::quiet_NaN(); }).word() == "nan");
  CHECK(coarse.write([&](auto i) { return coarse.expected[i] * (i % 2 ? 1.001f : 0.9993f); }).word() == "rounding");
}

TEST_CASE("an element that still has its old value is no rounding error, even if that is close") {
  mistaken<float> counted{{1000}};
  for (std::size_t i = 0; i < 1000; ++i) counted.before[i] = 500, counted.expected[i] = 501;
  CHECK(counted.write([&](auto i) { return i == 0 ? 502.f : i == 999 ? 500.f : 501.f; }).word() != "rounding");
}

TEST_CASE("what fits no pattern is called just that") {
  lab::random r{5};
  const auto coin = r.integers<int>({40 * 40}, 0, 1).values;
  CHECK(ints({40, 40}).write(garbage).word() == "wrong_everywhere");
  CHECK(ints({40, 40}).write(garbage).right([&](auto i) { return coin[i] == 1; }).word() == "scattered");
}

TEST_CASE("a single wrong element of one is not over-interpreted") {
  CHECK(ints({1}).write(garbage).word() == "wrong_everywhere");
}

TEST_CASE("a stray store is diagnosed by its side and reach") {
  const auto word = [](const stray_store& s, const array_shape& extents) {
    return judge::word(diagnose(s, "out", extents).front().kind);
  };
  CHECK(word({1, false, 1, 1}, {100}) == "off_by_one");
  CHECK(word({1, false, 1, 24}, {100}) == "missing_guard");
  CHECK(word({1, false, 1, 24}, {30, 50}) == "off_by_one");
  CHECK(word({1, false, 1, 924}, {30, 50}) == "missing_guard");
  CHECK(word({1, true, 1, 1}, {100}) == "negative_index");
}

TEST_CASE("stores that fill as many elements as an input has take the output to be as large") {
  const arguments given{{parameter_role::input, element::f32, {5, 7}, {}},
                        {parameter_role::output, element::f32, {3, 5}, {}}};
  const std::vector<std::string> names{"in", "out"};
  const auto all = as_large_as_an_input({1, false, 1, 20}, given, names);
  REQUIRE(all);
  CHECK(judge::word(all->kind) == "wrong_index");
  CHECK(all->exact);
  CHECK(all->text.find("as if it were as large as `in`") != std::string::npos);
  CHECK_FALSE(as_large_as_an_input({1, false, 1, 17}, given, names));
  CHECK_FALSE(as_large_as_an_input({1, true, 1, 20}, given, names));
  const arguments one_row{given[0], {parameter_role::output, element::f32, {1, 15}, {}}};
  CHECK_FALSE(as_large_as_an_input({1, false, 1, 20}, one_row, names));
}

TEST_CASE("places are given in the coordinates of the array") {
  CHECK(place("out", {50}, 17) == "out[17]");
  CHECK(place("out", {30, 50}, 117) == "out[row 2][col 17]");
  CHECK(place("out", {2, 3, 4}, 23) == "out[1][2][3]");
}

TEST_CASE("the picture shows the worst of the elements that a mark stands for, in at most 12 rows of 32") {
  const auto m = ints({100, 257}).right([](auto i) { return i / 257 < 96; });
  const auto text = m.with_mismatch([](const mismatch& e) { return picture(e); });
  CHECK(text.starts_with("    .............................\n"));
  CHECK(text.find("\n    ?????????????????????????????\n") != std::string::npos);
  CHECK(text.find("9 x 9 elements") != std::string::npos);
  CHECK(std::ranges::count(text, '\n') == 13);
}

TEST_CASE("the map holds the marks of the picture, and how many elements each stands for") {
  const auto m = ints({4, 64}).right([](auto i) { return i / 64 != 1; });
  const auto map = m.with_mismatch([](const mismatch& e) { return map_of(e); });
  CHECK(map.array == "out");
  CHECK(map.elements_per_mark.rows == 1);
  CHECK(map.elements_per_mark.cols == 2);
  const std::string right(32, '.');
  CHECK(map.rows == std::vector<std::string>{right, std::string(32, '?'), right, right});
}

TEST_CASE("where every element is wrong, the picture is one line") {
  const auto text = [](const auto& m) { return m.with_mismatch([](const mismatch& e) { return picture(e); }); };
  auto untouched = ints({30, 50}).right([](auto) { return false; });
  CHECK(text(untouched) == "  out: ? never written at every element\n");
  auto wrong = untouched;
  for (auto& value : wrong.actual) value = -4;
  CHECK(text(wrong) == "  out: # wrong at every element\n");
  wrong.actual[3] = wrong.expected[3];
  CHECK(text(wrong) == "  out: # wrong, at least one of every 3 x 2 elements\n");
  wrong.actual[2] = wrong.expected[2];
  for (const int i : {2, 52, 53, 102, 103}) wrong.actual[i] = wrong.expected[i];
  CHECK(std::ranges::count(text(wrong), '\n') == 11);
}

TEST_CASE("where every mark stands for a wrong element but many are right, the picture shows the first elements") {
  const auto m = ints({108, 257}).right([](auto i) { return i / 257 % 32 < 8; });
  const auto text = m.with_mismatch([](const mismatch& e) { return picture(e); });
  const auto line = [](char mark) { return "    " + std::string(32, mark) + "\n"; };
  std::string expected;
  for (int row = 0; row < 12; ++row) expected += line(row < 8 ? '.' : '?');
  CHECK(text == expected + "    out: the first elements, and the others likewise; . right  # wrong  ? never written\n");
}

TEST_CASE("the first mismatch says where, what and how many") {
  auto m = ints({30, 50}).right([](auto i) { return i != 117; });
  CHECK(m.with_mismatch([](const mismatch& e) { return first_mismatch(e); }) ==
        "out[row 2][col 17] is never written; the reference has " + std::to_string(m.expected[117]) +
            ".\n1 of 1500 elements is wrong, and it is never written.\n");
  m.actual[117] = -4;
  CHECK(m.with_mismatch([](const mismatch& e) {
           return first_mismatch(e);
         }).starts_with("out[row 2][col 17] is -4; the reference has "));
}

TEST_CASE("what a kernel printed is shown without control characters and not at any length") {
  CHECK(printed_output("").empty());
  CHECK(printed_output("a\x1b[31mb\n\n") == "It printed:\n    a\xef\xbf\xbd[31mb\n");
  CHECK(printed_output(std::string(100'000, 'x')).size() < 1000);
}

TEST_CASE("a matrix that ends where its columns would end as rows has x and y exchanged") {
  const auto all = [](const ints& m) { return m.with_mismatch([](const mismatch& e) { return diagnose(e); }); };
  const auto says = [](const diagnoses& found) {
    return std::ranges::count(found, diagnosis_kind::rows_and_columns_swapped, &diagnosis::kind) > 0;
  };
  CHECK(says(all(ints({257, 100}).right([](auto i) { return i / 100 < 128; }))));
  CHECK(says(all(ints({100, 257}).right([](auto i) { return i % 257 < 104; }))));
  CHECK_FALSE(says(all(ints({257, 100}).right([](auto i) { return i / 100 < 160; }))));
  CHECK_FALSE(says(all(ints({257, 100}).right([](auto i) { return i / 100 < 128 && i % 100 < 64; }))));
  CHECK_FALSE(says(all(ints({10'000}).right([](auto i) { return i < 256; }))));  // a vector has no rows
}

TEST_CASE("a quarter of an array that comes from the host is a size in elements instead of bytes") {
  auto m = ints({1000}).right([](auto i) { return i < 250; });
  CHECK(m.word() == "stops_short");
  m.on_host = true;
  CHECK(m.word() == "bytes_for_elements");
  CHECK(ints({1000}).right([](auto i) { return i < 251; }).word() == "stops_short");
}

TEST_CASE("tiny numbers are not within one percent because both are tiny") {
  mistaken<float> tiny{{1000}};
  for (auto& value : tiny.expected) value = 1e-10f;
  CHECK(tiny.write([](auto) { return 3e-8f; }).word() == "constant_factor");
  CHECK(tiny.write([](auto i) { return 3e-8f * (1 + i % 7); }).word() == "wrong_everywhere");
}

TEST_CASE("an element that the launcher gets with a value is unchanged, which is not the same as never written") {
  auto m = ints({100});
  m.names = {"out"};
  m.inputs = {{parameter_role::in_out, element::i32, {100}, {}}};
  const auto text = m.with_mismatch([](const mismatch& e) { return first_mismatch(e) + diagnose(e).front().text; });
  CHECK(text.starts_with("out[0] still has its value from before the call; the reference has "));
  CHECK(text.find("never written") == std::string::npos);
  CHECK(text.find("stores the old value") != std::string::npos);
}

TEST_CASE("an error of the runtime is told from a bad launch by what it says") {
  const arguments given{{parameter_role::output, element::i32, {257}, {}}};
  const auto word_of = [&](const std::string& error) {
    return std::string{word(diagnose_launch(error, given).front().kind)};
  };
  CHECK(word_of("cudaErrorInvalidValue: invalid argument\nlaunch_error: the copy's destination should be host memory, "
                "but is device memory") == "bad_copy");
  CHECK(word_of("cudaErrorIllegalAddress: \nout_of_bounds: past the end of allocation 3 (cudaMalloc, 257 bytes)") ==
        "bytes_for_elements");
  CHECK(word_of("cudaErrorIllegalAddress: \nout_of_bounds: past the end of allocation 3 (cudaMalloc, 1028 bytes)") ==
        "missing_guard");
  CHECK(word_of("cudaErrorIllegalAddress: \nhost_pointer: used a pointer to host memory") == "host_pointer");
  CHECK(word_of("cudaErrorInvalidMemcpyDirection: invalid copy direction for memcpy") == "bad_copy");
  CHECK(word_of("cudaErrorInvalidConfiguration: invalid configuration argument") == "bad_launch");
  CHECK(word_of("cudaErrorInvalidResourceHandle: invalid resource handle") == "bad_handle");
}

TEST_CASE("an end whose elements are written, but wrong, has its threads: an index or a sum is wrong, not the grid") {
  const auto first_patch = [](auto i) { return i / 257 < 64 && i % 257 < 64; };
  CHECK(ints({100, 257}).write(garbage).right(first_patch).word() == "wrong_index");
  CHECK(ints({100, 257}).right(first_patch).word() == "first_block_only");
  CHECK(ints({100, 270}).write(garbage).right([](auto i) { return i % 270 < 256; }).word() == "wrong_index");
}

TEST_CASE("a fill of a quarter before the additions is a size in elements instead of bytes") {
  ints m{{150}};
  m.write([&](auto i) { return m.before[i] + m.expected[i]; }).right([](auto i) { return i < 37; });
  CHECK(m.word() == "bytes_for_elements");
  m.right([](auto i) { return i < 50; });
  CHECK(m.word() != "bytes_for_elements");
}

TEST_CASE("where a few elements are far off, the message counts those within one percent") {
  mistaken<float> m{{100}};
  m.write([&](auto i) { return m.expected[i] * (i < 3 ? 300.0f : 1.0f + 0.00008f * static_cast<float>(i)); });
  const auto text = m.with_mismatch([](const mismatch& e) { return diagnose(e).front().text; });
  CHECK(text.find("97 of the 100 wrong elements are within one percent") == 0);
}

TEST_CASE("of a single counter the message says by how much it is wrong") {
  ints m{{1}};
  m.inputs = {};
  m.names = {"out"};
  argument counter;
  counter.role = parameter_role::in_out;
  m.inputs.push_back(counter);
  m.write([&](auto i) { return m.expected[i] + 255; });
  const auto text = m.with_mismatch([](const mismatch& e) { return diagnose(e).front().text; });
  CHECK(text.find("The only element of `out` is 255 too large. Do threads without an element") == 0);
}
