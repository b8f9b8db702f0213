// Documents for a terminal. Colour is decoration: nothing is said by colour alone.
#include <algorithm>

#include <fmt/format.h>

#include "gradus/core/text.hpp"
#include "gradus/report/plot_text.hpp"
#include "gradus/report/render.hpp"
#include "gradus/report/text_layout.hpp"
#include "gradus/report/text_table.hpp"
#include "gradus/report/value_blocks.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kGap = 2;         // spaces between columns
constexpr std::size_t kTextRows = 40;   // rows of a table inside a step
constexpr std::size_t kNarrowest = 24;  // a wrapped column is at least this wide

class TextWriter {
 public:
  explicit TextWriter(const TextStyle& style) : style_(style) {}

  std::string take() { return std::move(out_); }

  void title(const Document& document) {
    if (document.title.empty()) return;
    out_ += bold(harmless(document.title));
    if (!document.subtitle.empty()) out_ += "  " + dim(harmless(document.subtitle));
    out_ += "\n";
  }

  void add(const Block& block) {
    std::visit(*this, block);
    after_heading_ = std::holds_alternative<Heading>(block);
  }

  void operator()(const Heading& heading) { out_ += "\n" + bold(harmless(heading.text)) + "\n"; }

  void operator()(const Paragraph& paragraph) { lines(harmless(paragraph.text), ""); }

  void operator()(const Formula& formula) {
    for (const std::string& line : formula_lines(formula.text)) lines(harmless(line), "");
  }

  void operator()(const KeyValues& list) {
    std::size_t widest = 0;
    for (const auto& [key, value] : list.items)
      widest = std::max(widest, display_width(harmless(key)));
    for (const auto& [key, value] : list.items) {
      out_ += indent_ + dim(pad_right(harmless(key), widest)) + std::string(kGap, ' ');
      hanging(harmless(value), widest + kGap);
    }
  }

  void operator()(const Table& table) {
    const std::string outer = indent_;
    if (indent_.empty() && !out_.empty() && !after_heading_) out_ += "\n";
    if (!table.caption.empty()) {
      out_ += indent_ + dim(harmless(table.caption) + ":") + "\n";
      indent_ += "  ";
    }
    for (const TableLine& line : table_lines(table, room(0))) {
      out_ += indent_ + painted(line) + "\n";
    }
    if (table.left_out > 0) {
      out_ += indent_ + dim(fmt::format("… and {} more", table.left_out)) + "\n";
    }
    indent_ = outer;
  }

  void operator()(const Headline& headline) {
    KeyValues list;
    for (const Headline::Item& item : headline.items) {
      list.items.emplace_back(item.name,
                              item.value + (item.detail.empty() ? "" : "   " + item.detail));
    }
    (*this)(list);
  }

  // A terminal gets the words and, of curves, dots and ranks, a small picture; the rest is for
  // pages.
  void operator()(const Figure& figure) {
    if (!out_.empty() && !after_heading_) out_ += "\n";
    lines(harmless(figure.title() + ": " + figure.description()), "");
    std::visit(
        [&](const auto& picture) {
          if constexpr (requires { plot_lines(picture, room(0)); }) {
            for (const std::string& line : plot_lines(picture, room(0))) {
              out_ += indent_ + line + "\n";
            }
          }
        },
        figure.picture);
  }

  void operator()(const StepBlock& block) {
    const Step& step = block.step;
    out_ += "\n" + accent(fmt::format("{:>3}", step.number)) + "  " + bold(harmless(step.title));
    if (!step.path.empty()) out_ += "  " + dim(harmless(step.path));
    out_ += "\n";
    const std::string outer = std::exchange(indent_, "     ");
    if (!step.formula.empty()) (*this)(Formula{step.formula});
    for (const Block& inner : value_blocks(step.values, kTextRows)) {
      if (const auto* single = std::get_if<KeyValues>(&inner)) {
        in_one_line(*single);
      } else {
        std::visit(*this, inner);
      }
    }
    if (!step.text.empty()) lines(harmless(step.text), "→ ");
    indent_ = outer;
  }

 private:
  std::string painted(std::string_view code, const std::string& text) const {
    if (style_.colour == Colour::no) return text;
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
  }
  std::string bold(const std::string& text) const { return painted("1", text); }
  std::string dim(const std::string& text) const { return painted("2", text); }
  std::string accent(const std::string& text) const { return painted("1;36", text); }

  std::string painted(const TableLine& line) const {
    if (line.part == TableLine::Part::header) return dim(line.text);
    return line.part == TableLine::Part::marked ? bold(line.text) : line.text;
  }

  std::size_t room(std::size_t used) const {
    const std::size_t taken = indent_.size() + used;
    return style_.width > taken + kNarrowest ? style_.width - taken : kNarrowest;
  }

  // Inside a step, single values stand side by side.
  void in_one_line(const KeyValues& list) {
    std::vector<std::string> parts;
    for (const auto& [key, value] : list.items) {
      parts.push_back(harmless(key) + " = " + harmless(value));
    }
    lines(join(parts, "   "), "");
  }

  void lines(const std::string& text, std::string_view lead) {
    out_ += indent_ + std::string(lead);
    hanging(text, display_width(lead));
  }

  // The rest of a line that begins `column` columns after the indent.
  void hanging(const std::string& text, std::size_t column) {
    bool first = true;
    for (const std::string& line : wrapped(text, room(column))) {
      if (!first) out_ += indent_ + std::string(column, ' ');
      out_ += line + "\n";
      first = false;
    }
  }

  TextStyle style_;
  std::string out_;
  std::string indent_;
  bool after_heading_ = false;
};

}  // namespace

std::string render_text(const Document& document, const TextStyle& style) {
  TextWriter writer(style);
  writer.title(document);
  for (const Block& block : document.blocks) writer.add(block);
  return writer.take();
}

}  // namespace gradus::report
