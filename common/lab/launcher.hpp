#pragma once

#include <cstring>
#include <stdexcept>
#include <tuple>
#include <typeinfo>

#include "lab/launcher_spec.hpp"

namespace lab {

namespace detail {

// The host types of a launcher parameter: make() returns the owner, reference() takes what it borrows.
template <class P>
struct parameter {
  using owner = P;
  using borrowed = P;
  static argument erase(P value) {
    argument erased{parameter_role::scalar, element_of<P>(), {}, std::vector<std::byte>(sizeof(P))};
    std::memcpy(erased.bytes.data(), &value, sizeof(P));
    return erased;
  }
  static P borrow(argument& erased) { return erased.as<P>()[0]; }
};

template <class T>
struct parameter<T*> {
  using value = std::remove_const_t<T>;
  using owner = tensor<value>;
  using borrowed = std::span<T>;
  static argument erase(const tensor<value>& made) {
    if (!made.values.empty() && static_cast<std::int64_t>(made.values.size()) != count(made.shape))
      throw std::logic_error("make() returned a tensor whose values do not fit its shape");
    const auto raw = std::as_bytes(std::span{made.values});
    const parameter_role role = std::is_const_v<T>    ? parameter_role::input
                                : made.values.empty() ? parameter_role::output
                                                      : parameter_role::in_out;
    return {role, element_of<value>(), made.shape, {raw.begin(), raw.end()}};
  }
  static std::span<T> borrow(argument& erased) { return erased.as<value>(); }
};

// A function's mangled name (Itanium ABI) is the name's length, the name and its type's parameters, as in "FvPKiPiE".
std::string symbol(std::string_view name, std::string_view function_type);
std::string declaration(std::string_view name, std::string_view symbol);

template <class... P, std::size_t... I>
host_function erase(const std::function<void(typename parameter<P>::borrowed...)>& function,
                    std::index_sequence<I...>) {
  if (!function) return {};
  return [function](arguments& all) { function(parameter<P>::borrow(all.at(I))...); };
}

}  // namespace detail

/// A lab definition's launcher, typed by the launcher's signature: `const T*` is an input, `T*` an output (or both, if
/// make() gives it values), anything else a scalar.
template <class Signature>
struct launcher;

template <class... P>
struct launcher<void(P...)> {
  using host = void(typename detail::parameter<P>::borrowed...);

  std::string name{};                     ///< of the function in lab.hpp
  std::vector<std::string> parameters{};  ///< their names, in order
  std::vector<std::string> axes{};        ///< names of a size's extents
  memory_space memory = memory_space::device;
  std::function<std::tuple<typename detail::parameter<P>::owner...>(const problem_size&, random&)> make{};
  std::function<host> reference{};    ///< the plainest loops, accumulating in double or int64
  std::function<host> one_thread{};   ///< the published tutorial's CPU program
  std::function<host> all_threads{};  ///< the same on all cores
  std::function<host>
      fast{};  ///< what speed-ups count against: vectorised, in blocks that fit the caches, on all threads
  std::vector<problem_size> check_sizes{};
  std::vector<problem_size> time_sizes{};
  problem_size drawn_up_to{};  ///< the most that `bench --sweep` draws of each axis; 0 or no extent: what memory allows
  problem_size count_at{};     ///< where `bench` shows counts; if it is empty, the size of the first gate
  bool traces_large_sizes = false;  ///< in a check, because on the simulator the kernels run no faster without a trace
  tolerance allow{};
  std::function<problem_cost(const problem_size&)> cost{};
  std::function<std::string(const problem_size&)> refuses{};
  std::function<std::string(const problem_size&)> impossible{};
  std::vector<gate> gates{};  ///< limits of the traffic that the simulator counts
  std::string improves_on{};  ///< a launcher of this lab that computes the same; empty if there is none

  operator launcher_spec() const {
    if (parameters.size() != sizeof...(P))
      throw std::logic_error(name + ": the lab definition must name every parameter");
    launcher_spec spec;
    spec.name = name;
    spec.parameters = parameters;
    spec.axes = axes;
    spec.memory = memory;
    spec.symbol = detail::symbol(name, typeid(void(P...)).name());
    spec.signature = detail::declaration(name, spec.symbol);
    spec.check_sizes = check_sizes;
    spec.time_sizes = time_sizes;
    spec.drawn_up_to = drawn_up_to;
    spec.count_at = count_at;
    spec.traces_large_sizes = traces_large_sizes;
    spec.allow = allow;
    spec.floating = (is_floating(element_of<std::remove_const_t<std::remove_pointer_t<P>>>()) || ...);
    spec.make = [function = make](const problem_size& size, random& values) { return erased(function(size, values)); };
    using plain = std::tuple<typename detail::parameter<P>::owner...> (*)(const problem_size&, random&);
    if (const auto* const function = make.template target<plain>())
      spec.drawn_by = reinterpret_cast<void (*)()>(*function);
    spec.cost = cost;
    spec.refuses = refuses;
    spec.impossible = impossible;
    spec.gates = gates;
    spec.improves_on = improves_on;
    constexpr auto all = std::index_sequence_for<P...>{};
    spec.reference = detail::erase<P...>(reference, all);
    spec.one_thread = detail::erase<P...>(one_thread, all);
    spec.all_threads = detail::erase<P...>(all_threads, all);
    spec.fast = detail::erase<P...>(fast, all);
    return spec;
  }

 private:
  static arguments erased(const std::tuple<typename detail::parameter<P>::owner...>& made) {
    arguments all;  // an initializer list would copy every array
    std::apply([&](const auto&... one) { (all.push_back(detail::parameter<P>::erase(one)), ...); }, made);
    return all;
  }
};

}  // namespace lab
