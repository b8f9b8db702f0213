#include "gradus/evaluate/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/doctor_parts.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// The order in which a person wants to hear it.
constexpr std::array<std::string_view, 21> kTopics = {"rows",
                                                      "sparse",
                                                      "type",
                                                      "missing_columns",
                                                      "extra_columns",
                                                      "kind",
                                                      "target",
                                                      "class_balance",
                                                      "leak",
                                                      "missing",
                                                      "constant",
                                                      "near_constant",
                                                      "identifier",
                                                      "duplicate_columns",
                                                      "duplicate_rows",
                                                      "outliers",
                                                      "unseen_categories",
                                                      "shift",
                                                      "shared_rows",
                                                      "missing_in_other",
                                                      "infinite"};

std::size_t rank(const Finding& finding) {
  return static_cast<std::size_t>(std::find(kTopics.begin(), kTopics.end(), finding.topic) -
                                  kTopics.begin());
}

void describe_types(const ReadReport& report, Findings& out) {
  for (const ReadReport::ColumnDecision& column : report.columns) {
    out.push_back({Severity::note, "type", column.name,
                   fmt::format("read as {}: {}", kind_word(column.kind), column.why),
                   object({{"kind", kind_word(column.kind)}, {"why", column.why}})});
  }
}

}  // namespace

std::string_view severity_word(Severity severity) {
  constexpr std::array<std::string_view, 3> kWords = {"note", "warning", "problem"};
  return kWords[static_cast<std::size_t>(severity)];
}

Findings examine(const Dataset& data, const DoctorOptions& options, const Context& context) {
  const Column* target = options.target.empty() ? nullptr : &data.column(options.target);
  Findings out;
  if (options.report != nullptr) describe_types(*options.report, out);
  if (data.rows() == 0) {
    out.push_back({Severity::problem, "rows", "", "there are no rows", object({{"rows", 0}})});
    return out;
  }
  const auto columns = data.columns();
  const auto parts = parallel::map_slots<Findings>(context, columns.size(), [&](std::size_t i) {
    Findings part;
    doctor::examine_column(columns[i], &columns[i] == target, part);
    return part;
  });
  for (const Findings& part : parts) out.insert(out.end(), part.begin(), part.end());
  if (data.sparse()) doctor::examine_sparse(*data.sparse(), out);
  doctor::find_duplicates(data, out);
  if (target != nullptr) {
    doctor::examine_target(*target, out);
    doctor::find_leaks(data, *target, out);
  }
  if (options.other != nullptr) doctor::compare_tables(data, *options.other, options.target, out);
  std::stable_sort(out.begin(), out.end(),
                   [](const Finding& a, const Finding& b) { return rank(a) < rank(b); });
  return out;
}

Value to_value(const Finding& finding) {
  return object({{"severity", severity_word(finding.severity)},
                 {"topic", finding.topic},
                 {"column", finding.column.empty() ? Value() : Value(finding.column)},
                 {"text", finding.text},
                 {"numbers", finding.numbers}});
}

Value to_value(const Findings& findings) {
  Value out = Value(Value::Array{});
  for (const Finding& finding : findings) out.push_back(to_value(finding));
  return out;
}

}  // namespace gradus
