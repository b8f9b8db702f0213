#include "convert.hpp"

#include <nanobind/stl/string.h>

#include <cmath>
#include <string>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/models/catalogue.hpp"

namespace gradus::python {
namespace {

std::string text_of(nb::handle object) { return nb::cast<std::string>(nb::str(object)); }

[[noreturn]] void refuse_type(const ParamInfo& info, nb::handle object) {
  const std::string message = std::string(info.text.name) + " must be " + info.allowed() +
                              " (got " + text_of(nb::repr(object)) + " of type " +
                              text_of(object.type().attr("__name__")) + ")";
  throw nb::type_error(message.c_str());
}

// Whole numbers outside 64 bits keep their digits: the seed's parser and the messages want them.
Value integer_from_python(nb::handle object) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0) return Value(text_of(object));
  if (number == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return Value(number);
}

Value scalar_from_python(const ParamInfo& info, nb::handle object) {
  if (object.is_none()) return Value();
  if (PyBool_Check(object.ptr())) return Value(object.is(Py_True));
  if (PyLong_Check(object.ptr())) return integer_from_python(object);
  if (PyFloat_Check(object.ptr())) return Value(PyFloat_AsDouble(object.ptr()));
  if (PyUnicode_Check(object.ptr())) return Value(nb::cast<std::string>(object));
  refuse_type(info, object);
}

// NumPy scalars and arrays turn into plain Python by themselves; arrays are read row by row.
nb::object without_numpy(nb::handle object) {
  if (PyFloat_Check(object.ptr()) || PyUnicode_Check(object.ptr())) return nb::borrow(object);
  if (nb::hasattr(object, "ndim") && nb::hasattr(object, "ravel") &&
      nb::cast<int>(object.attr("ndim")) > 0) {
    return object.attr("ravel")().attr("tolist")();
  }
  return nb::hasattr(object, "item") ? object.attr("item")() : nb::borrow(object);
}

void append_flat(const ParamInfo& info, nb::handle object, Value::Array& items) {
  const nb::object plain = without_numpy(object);
  if (nb::isinstance<nb::list>(plain) || nb::isinstance<nb::tuple>(plain)) {
    for (nb::handle item : plain) append_flat(info, item, items);
  } else {
    items.push_back(scalar_from_python(info, plain));
  }
}

}  // namespace

nb::object to_python(const Value& value) {
  if (value.is_null()) return nb::none();
  if (value.is_bool()) return nb::bool_(value.as_bool());
  if (value.is_integer()) return nb::int_(value.as_integer());
  if (value.is_number()) return nb::float_(value.as_number());
  if (value.is_string()) return nb::str(value.as_string().data(), value.as_string().size());
  if (value.is_array()) {
    nb::list list;
    for (const Value& item : value.as_array()) list.append(to_python(item));
    return list;
  }
  nb::dict dict;
  for (const auto& [key, item] : value.as_object()) {
    dict[nb::str(key.data(), key.size())] = to_python(item);
  }
  return dict;
}

nb::list to_python(const std::vector<Step>& steps) {
  nb::list list;
  for (const Step& step : steps) list.append(to_python(to_value(step)));
  return list;
}

namespace {

// A learner as {"learner": name, "parameters": {...}}: its parameters are read as its own
// descriptions say.
Value choice_from_python(const ParamInfo& info, const nb::dict& choice) {
  if (!choice.contains("learner") || !choice.contains("parameters")) refuse_type(info, choice);
  const auto name = nb::cast<std::string>(choice["learner"]);
  const ParamTable& table = find_learner(name).params;
  Value parameters = gradus::object();
  for (const auto& [key, value] : nb::cast<nb::dict>(choice["parameters"])) {
    const auto parameter = nb::cast<std::string>(key);
    parameters[parameter] = param_from_python(require_param(table, parameter, name), value);
  }
  return gradus::object({{"learner", name}, {"parameters", std::move(parameters)}});
}

// {class: weight}, with the names that classes have as text.
Value numbers_from_python(const ParamInfo& info, const nb::dict& numbers) {
  Value out = gradus::object();
  for (const auto& [name, number] : numbers) {
    out[text_of(name)] = scalar_from_python(info, without_numpy(number));
  }
  return out;
}

}  // namespace

Value param_from_python(const ParamInfo& info, nb::handle object) {
  if (info.type == ParamType::learner && nb::isinstance<nb::dict>(object)) {
    return choice_from_python(info, nb::cast<nb::dict>(object));
  }
  if (info.type == ParamType::choice_or_numbers && nb::isinstance<nb::dict>(object)) {
    return numbers_from_python(info, nb::cast<nb::dict>(object));
  }
  const nb::object plain = without_numpy(object);
  if (info.type == ParamType::reals || info.type == ParamType::texts) {
    if (plain.is_none()) return Value();
    Value::Array items;
    append_flat(info, plain, items);
    return Value(items);
  }
  Value value = scalar_from_python(info, plain);
  if (info.type == ParamType::text && value.is_number()) return Value(text_of(plain));
  return value;
}

}  // namespace gradus::python
