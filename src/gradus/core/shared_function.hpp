// A function value for the public headers: what std::function is, without its header.
//
// <functional> is a fifth of what including gradus.hpp costs. Copies share the function they hold,
// which therefore must not change when it is called; empty until it is assigned.
//
//   SharedFunction<double(double, double)> f = [](double a, double b) { return a - b; };
//   if (f) use(f(3, 1));
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace gradus {

template <class Signature>
class SharedFunction;

template <class Result, class... Arguments>
class SharedFunction<Result(Arguments...)> {
 public:
  SharedFunction() = default;

  template <class F>
  requires(!std::same_as<F, SharedFunction> &&
           std::is_invocable_r_v<Result, const F&, Arguments...>) SharedFunction(F f)
      : held_(std::make_shared<const Held<F>>(std::move(f))) {}

  explicit operator bool() const { return held_ != nullptr; }

  // There must be a function.
  Result operator()(Arguments... arguments) const {
    return held_->call(std::forward<Arguments>(arguments)...);
  }

 private:
  struct Callable {
    virtual ~Callable() = default;
    virtual Result call(Arguments... arguments) const = 0;
  };
  template <class F>
  struct Held final : Callable {
    explicit Held(F function) : f(std::move(function)) {}
    Result call(Arguments... arguments) const override {
      return f(std::forward<Arguments>(arguments)...);
    }
    F f;
  };

  std::shared_ptr<const Callable> held_;
};

}  // namespace gradus
