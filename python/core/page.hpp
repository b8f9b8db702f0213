// The HTML page that a function of gradus.evaluate writes when its `report` names a file.
#pragma once

#include <functional>
#include <string>

#include "gradus/report/pages.hpp"
#include "options.hpp"

namespace gradus::python {

class Page {
 public:
  // `report` is the file, `call` how Python was asked. A file that cannot be written is refused
  // here, before any work.
  explicit Page(const Options& in);

  // Nothing when no page is wanted; then it is not made either.
  void write(const std::function<report::Document()>& make) const;

  report::Origin origin() const;
  report::Origin origin(const Dataset& data) const;
  report::Origin origin(const Dataset& data, const AnyModel& model) const;

 private:
  std::string file_;
  std::string call_;
};

}  // namespace gradus::python
