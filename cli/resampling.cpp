#include "resampling.hpp"

#include "gradus/report/folds_text.hpp"
#include "report_file.hpp"

namespace gradus::cli {

void add_resampling_options(Syntax& syntax, Resampling& how) {
  add_column_options(syntax, how.data_file, how.options.fit);
  syntax.options.push_back(text_option("--metric", "NAME",
                                       "The measure that counts (default: accuracy, or rmse)",
                                       how.options.metric));
  syntax.options.back().group = "Data";
  syntax.options.push_back(flag_option("--json", "The outcome as JSON", how.json));
  syntax.options.back().group = "Data";
  add_report_option(syntax, how.report);
  add_fold_options(syntax, how.folds);
  add_measure_options(syntax, how.options.evaluate);
  add_decision_options(syntax, how.options.evaluate);
  add_prepare_options(syntax, how.options.fit);
  add_read_options(syntax, how.read, FormatWord::data);
  add_run_options(syntax, how.run);
}

void check_resampling(const Resampling& how, const std::vector<std::string>& inputs) {
  require_columns_make_sense(how.data_file, how.options.fit);
  decision_of(how.options.evaluate);
  std::vector<std::string> all = {how.data_file};
  all.insert(all.end(), inputs.begin(), inputs.end());
  check_report(how.report, how.run, all);
}

Resampled read_and_split(Resampling& how, const Info& info, const Context& context) {
  Resampled out;
  out.data = read_data(how.data_file, how.read, how.run, context);
  out.task = task_of(info, out.data, how.options.fit);
  require_measures_apply(how.options.evaluate, out.task);
  how.options.metric = find_metric(how.options.metric, out.task).name;
  out.folds = chosen_folds(how.folds, out.data, out.task, how.options.fit);
  check_class_sizes(how.folds, out.folds, out.data, how.run.speech);
  save_folds(how.folds, out.folds, how.overwrite());
  out.folds_text = report::folds_text(out.folds);
  return out;
}

report::Origin origin_of(const Resampling& how, const Resampled& data) {
  return {command_line(), how.data_file, data.folds.data_fingerprint, ""};
}

}  // namespace gradus::cli
