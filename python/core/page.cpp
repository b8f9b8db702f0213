#include "page.hpp"

#include "gradus/core/atomic_file.hpp"
#include "gradus/report/render.hpp"

namespace gradus::python {

Page::Page(const Options& in) : file_(in.text("report")), call_(in.text("call")) {
  if (!file_.empty()) const OutputFile early(file_, Overwrite::replace);
}

void Page::write(const std::function<report::Document()>& make) const {
  if (file_.empty()) return;
  OutputFile out(file_, Overwrite::replace);
  out.write(report::render_html(make()));
  out.commit();
}

report::Origin Page::origin() const { return {.command = call_, .data_file = "X"}; }

report::Origin Page::origin(const Dataset& data) const {
  report::Origin out = origin();
  out.data_fingerprint = data.fingerprint();
  return out;
}

report::Origin Page::origin(const Dataset& data, const AnyModel& model) const {
  report::Origin out = origin(data);
  out.model_fingerprint = model.fingerprint();
  return out;
}

}  // namespace gradus::python
