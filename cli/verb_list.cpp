// `gradus list`: the catalogue, or the verbs.
#include "common_options.hpp"
#include "gradus/contract/info_value.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/catalogue.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

class ListCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "list", .summary = "Shows the learners, one line each."};
    syntax.options.push_back(flag_option("--json", "The list as JSON", json_));
    syntax.options.push_back(flag_option("--verbs", "The verbs of the command instead", verbs_));
    add_run_options(syntax, run_);
    return syntax;
  }

  void run() override {
    if (verbs_) return list_verbs();
    if (json_) {
      Value all = Value::Array();
      for (const Entry* entry : catalogue()) all.push_back(to_value(entry->info));
      return print_result(to_json(all, JsonStyle::indented) + "\n");
    }
    report::Table table{.header = {"learner", "family", "tasks", "summary"}};
    for (const Entry* entry : catalogue()) {
      const Info& info = entry->info;
      table.rows.push_back({std::string(info.name), std::string(info.family),
                            join(task_words(info.tasks), ", "), std::string(info.summary)});
    }
    report::Document page;
    page.add(table);
    print_result(report::render_text(page, style_of(run_.speech)));
  }

 private:
  void list_verbs() const {
    Value all = Value::Array();
    report::Table table{.header = {"verb", "summary"}};
    for (const Verb& verb : verbs()) {
      all.push_back(object({{"name", verb.name}, {"summary", verb.summary}}));
      table.rows.push_back({std::string(verb.name), std::string(verb.summary)});
    }
    if (json_) return print_result(to_json(all, JsonStyle::indented) + "\n");
    report::Document page;
    page.add(std::move(table));
    print_result(report::render_text(page, style_of(run_.speech)));
  }

  bool json_ = false;
  bool verbs_ = false;
  RunOptions run_;
};

}  // namespace

CommandPtr make_list(const Entry*) { return std::make_unique<ListCommand>(); }

}  // namespace gradus::cli
