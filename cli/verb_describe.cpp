// `gradus describe LEARNER|MODEL`: the parameters of a learner, or all that a model file holds.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "common_options.hpp"
#include "gradus/api/save.hpp"
#include "gradus/contract/info_value.hpp"
#include "gradus/core/text.hpp"
#include "gradus/report/parameters.hpp"
#include "gradus/report/tree_figure.hpp"
#include "model_page.hpp"
#include "report_file.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

Value learner_value(const Entry& entry) {
  Value out = to_value(entry.info);
  Value parameters = Value::Array();
  for (const ParamInfo& info : entry.params) parameters.push_back(to_value(info));
  out["parameters"] = std::move(parameters);
  out["quantities"] = object();
  for (const Quantity& quantity : entry.quantities) out["quantities"][quantity.name] = quantity.doc;
  return out;
}

// What becomes of nominal columns unless `--encode` says otherwise.
std::string categories_text(const Info& info) {
  if (!info.accepts.has(Accept::nominal)) {
    return fmt::format("encoded as numbers: {}", encoding_word(info.encode));
  }
  return info.accepts.has(Accept::numeric) ? "taken as they are, unless --encode is given"
                                           : "taken as they are";
}

report::Document learner_page(const Entry& entry) {
  const Info& info = entry.info;
  report::Document page{.title = std::string(info.name), .subtitle = std::string(info.summary)};
  page.add(report::KeyValues{{{"family", std::string(info.family)},
                              {"tasks", join(task_words(info.tasks), ", ")},
                              {"accepts", join(accept_words(info.accepts), ", ")},
                              {"gives", join(give_words(info.gives), ", ")},
                              {"categories", categories_text(info)}}});
  page.add(report::Heading{"Parameters"});
  page.add(report::parameter_reference(entry.params));
  page.add(report::Heading{"What it learns"});
  report::KeyValues learned;
  for (const Quantity& quantity : entry.quantities) {
    learned.items.emplace_back(quantity.name, quantity.doc);
  }
  page.add(std::move(learned));
  return page;
}

class DescribeCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "describe",
                  .summary =
                      "Shows the parameters of a learner, or everything in a model file: "
                      "learner, parameters, columns, preparation, origin, what was learned."};
    syntax.operands.push_back({"LEARNER|MODEL", "a learner's name or a model file",
                               [this](const std::string& text) { name_ = text; }});
    syntax.options.push_back(flag_option("--json", "The description as JSON", json_));
    syntax.options.push_back(
        {.names = {"--tree"},
         .value = "N",
         .help = "One tree of a model that keeps trees, from its root; 1 is the first",
         .set = [this](const std::string& text) { set_tree(text); }});
    syntax.options.push_back(
        text_option("--svg", "FILE", "Also draw the tree (default: the first) as a picture", svg_));
    add_run_options(syntax, run_);
    syntax.examples = {"gradus describe kmeans", "gradus describe iris.gradus --json",
                       "gradus describe forest.gradus --tree 3 --svg tree3.svg"};
    return syntax;
  }

  void run() override {
    if (tree_ > 0 || !svg_.empty()) return show_tree();
    if (const Entry* entry = learner_named(name_)) {
      return show(learner_value(*entry), learner_page(*entry));
    }
    require_learner_or_file(name_);
    const AnyModel model = load_model(name_);
    show(model_value(model, name_), model_page(model, name_));
  }

 private:
  void set_tree(const std::string& text) {
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, tree_);
    if (parsed.ec != std::errc() || parsed.ptr != end || tree_ == 0) {
      usage_error("--tree", fmt::format("tree must be at least 1 (got {})", in_quotes(text)));
    }
  }

  void show_tree() const {
    if (!svg_.empty()) check_output("--svg", svg_, run_, {name_});
    const AnyModel model = load_model(name_);
    const std::size_t which = std::max<std::size_t>(tree_, 1);
    const Value tree = model.tree(which - 1);
    if (!svg_.empty()) {
      const std::string title = model.trees() == 1 ? "The tree" : fmt::format("Tree {}", which);
      write_output(svg_, run_, report::draw_svg(report::tree_figure(tree, title), "tree"));
    }
    print_result(json_ ? to_json(tree, JsonStyle::indented) + "\n" : report::tree_text(tree));
  }

  void show(const Value& data, const report::Document& page) const {
    print_result(json_ ? to_json(data, JsonStyle::indented) + "\n"
                       : report::render_text(page, style_of(run_.speech)));
  }

  std::string name_;
  bool json_ = false;
  std::size_t tree_ = 0;  // 0: not asked for
  std::string svg_;
  RunOptions run_;
};

}  // namespace

CommandPtr make_describe(const Entry*) { return std::make_unique<DescribeCommand>(); }

}  // namespace gradus::cli
