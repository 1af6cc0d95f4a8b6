#pragma once

#include <cstring>
#include <stdexcept>
#include <tuple>
#include <typeinfo>

#include "lab/launcher_spec.hpp"

namespace lab {

namespace detail {

// How each kind of launcher parameter appears on the host: what a card's make() owns, what its reference() borrows.
template <class P>
struct parameter {
  using owner = P;
  using borrowed = P;
  static argument erase(P value) {
    argument a{parameter_role::scalar, element_of<P>(), {}, std::vector<std::byte>(sizeof(P))};
    std::memcpy(a.bytes.data(), &value, sizeof(P));
    return a;
  }
  static P borrow(argument& a) { return a.as<P>()[0]; }
};

template <class T>
struct parameter<T*> {
  using value = std::remove_const_t<T>;
  using owner = tensor<value>;
  using borrowed = std::span<T>;
  static argument erase(const tensor<value>& t) {
    if (!t.values.empty() && static_cast<std::int64_t>(t.values.size()) != count(t.shape))
      throw std::logic_error("a card made a tensor whose values do not fit its shape");
    const auto raw = std::as_bytes(std::span{t.values});
    const parameter_role r = std::is_const_v<T> ? parameter_role::input
                             : t.values.empty() ? parameter_role::output
                                                : parameter_role::in_out;
    return {r, element_of<value>(), t.shape, {raw.begin(), raw.end()}};
  }
  static std::span<T> borrow(argument& a) { return a.as<value>(); }
};

// The Itanium name of a function is its length, its name and the parameter part of its type's name: "FvPKiPiE".
std::string symbol(std::string_view name, std::string_view function_type);
std::string declaration(std::string_view name, std::string_view symbol);

template <class... P, std::size_t... I>
host_function erase(const std::function<void(typename parameter<P>::borrowed...)>& f, std::index_sequence<I...>) {
  if (!f) return {};
  return [f](arguments& a) { f(parameter<P>::borrow(a.at(I))...); };
}

}  // namespace detail

/// What a card says about one launcher, typed by the launcher's signature, from which the rest follows: `const T*` is
/// an input, `T*` an output (or both, if make() gives it values), anything else a scalar.
template <class Signature>
struct launcher;

template <class... P>
struct launcher<void(P...)> {
  using host = void(typename detail::parameter<P>::borrowed...);

  std::string name{};                     ///< of the function that lab.hpp declares
  std::vector<std::string> parameters{};  ///< their names, in order
  std::vector<std::string> axes{};        ///< what the numbers of a size mean
  memory_space memory = memory_space::device;
  std::function<std::tuple<typename detail::parameter<P>::owner...>(const problem_size&, random&)> make{};
  std::function<host> reference{};    ///< the plainest loops, accumulating in double or int64
  std::function<host> one_thread{};   ///< the tutorials' CPU program
  std::function<host> all_threads{};  ///< the same on all cores
  std::function<host> fast{};         ///< an honest fast CPU version, where the tutorials' is a straw man
  std::vector<problem_size> check_sizes{};
  std::vector<problem_size> time_sizes{};
  tolerance allow{};
  std::function<problem_cost(const problem_size&)> cost{};
  std::function<std::string(const problem_size&)> refuses{};
  std::vector<gate> gates{};  ///< what the simulator's count of its traffic must keep to

  operator launcher_spec() const {
    if (parameters.size() != sizeof...(P)) throw std::logic_error(name + ": the card must name every parameter");
    launcher_spec c;
    c.name = name;
    c.parameters = parameters;
    c.axes = axes;
    c.memory = memory;
    c.symbol = detail::symbol(name, typeid(void(P...)).name());
    c.signature = detail::declaration(name, c.symbol);
    c.check_sizes = check_sizes;
    c.time_sizes = time_sizes;
    c.allow = allow;
    c.floating = (is_floating(element_of<std::remove_const_t<std::remove_pointer_t<P>>>()) || ...);
    c.make = [f = make](const problem_size& s, random& r) { return erased(f(s, r)); };
    c.cost = cost;
    c.refuses = refuses;
    c.gates = gates;
    constexpr auto all = std::index_sequence_for<P...>{};
    c.reference = detail::erase<P...>(reference, all);
    c.one_thread = detail::erase<P...>(one_thread, all);
    c.all_threads = detail::erase<P...>(all_threads, all);
    c.fast = detail::erase<P...>(fast, all);
    return c;
  }

 private:
  static arguments erased(const std::tuple<typename detail::parameter<P>::owner...>& made) {
    return std::apply([](const auto&... one) { return arguments{detail::parameter<P>::erase(one)...}; }, made);
  }
};

}  // namespace lab
