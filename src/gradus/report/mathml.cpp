#include "gradus/report/mathml.hpp"

#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "gradus/report/text_layout.hpp"

namespace gradus::report {
namespace {

constexpr int kDeepest = 30;  // parentheses in parentheses

// An element with text, or with children.
struct Node {
  std::string_view tag = "mrow";
  std::string text = {};
  std::vector<Node> children = {};
};

void write(HtmlWriter& html, const Node& node) {
  // Fonts without a table for mathematics stretch signs far beyond what they enclose.
  const bool encloses = node.text == "(" || node.text == ")" || node.text == "|";
  if (encloses) return html.element(node.tag, {{"stretchy", "false"}}, node.text);
  if (node.children.empty()) return html.element(node.tag, node.text);
  const auto scope = html.open(node.tag);
  for (const Node& child : node.children) write(html, child);
}

// The raised or lowered letters of Unicode, and what they stand for.
struct Script {
  std::string_view letter;
  std::string_view plain;
};
constexpr Script kRaised[] = {{"⁰", "0"}, {"¹", "1"}, {"²", "2"}, {"³", "3"}, {"⁴", "4"},
                              {"⁵", "5"}, {"⁶", "6"}, {"⁷", "7"}, {"⁸", "8"}, {"⁹", "9"},
                              {"⁻", "−"}, {"ⁿ", "n"}, {"ᵀ", "T"}};
constexpr Script kLowered[] = {{"₀", "0"}, {"₁", "1"}, {"₂", "2"}, {"₃", "3"}, {"₄", "4"},
                               {"₅", "5"}, {"₆", "6"}, {"₇", "7"}, {"₈", "8"}, {"₉", "9"},
                               {"ₖ", "k"}, {"ₗ", "l"}, {"ᵢ", "i"}, {"ⱼ", "j"}, {"ₙ", "n"},
                               {"ₘ", "m"}, {"ₜ", "t"}, {"ₓ", "x"}, {"ₐ", "a"}, {"ₑ", "e"}};

std::size_t letter_size(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
  return size;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// ASCII letters and every letter beyond ASCII that is no sign of arithmetic.
bool begins_name(std::string_view text) {
  constexpr std::string_view kSigns[] = {"−", "·", "×", "√", "Σ", "∏", "≤", "≥", "≠", "≈",
                                         "→", "⇔", "∧", "∨", "∂", "∞", "|", "±", "…"};
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80U) return std::isalpha(first) != 0 || first == '_';
  for (const std::string_view sign : kSigns) {
    if (text.starts_with(sign)) return false;
  }
  for (const Script& one : kRaised) {
    if (text.starts_with(one.letter)) return false;
  }
  for (const Script& one : kLowered) {
    if (text.starts_with(one.letter)) return false;
  }
  return true;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Node all() {
    Node row;
    while (!text_.empty()) append(row);
    return row;
  }

 private:
  bool at(std::string_view sign) const { return text_.starts_with(sign); }
  std::string take(std::size_t size) {
    std::string out(text_.substr(0, size));
    text_.remove_prefix(size);
    return out;
  }

  // The next atom, and a fraction when a stroke follows it directly.
  void append(Node& row) {
    Node next = atom();
    if (at("/") && next.tag != "mo" && text_.size() > 1 && text_[1] != ' ') {
      take(1);
      Node below = atom();
      if (below.tag == "mo") {
        row.children.push_back(std::move(next));
        row.children.push_back({.tag = "mo", .text = "/"});
        row.children.push_back(std::move(below));
        return;
      }
      next = {.tag = "mfrac", .children = {std::move(next), std::move(below)}};
    }
    row.children.push_back(std::move(next));
  }

  Node atom() { return with_scripts(bare_atom()); }

  Node bare_atom() {
    if (at("(") && depth_ < kDeepest) return group();
    if (at("√") && text_.size() > letter_size(text_)) {
      take(letter_size(text_));
      return {.tag = "msqrt", .children = {bare_atom()}};
    }
    if (is_digit(text_.front())) return {.tag = "mn", .text = take(number_size())};
    if (begins_name(text_)) return {.tag = "mi", .text = take(name_size())};
    if (text_.front() == ' ') {
      take(1);
      return {.tag = "mtext", .text = "\u00a0"};
    }
    return {.tag = "mo", .text = take(letter_size(text_))};
  }

  Node group() {
    ++depth_;
    Node out{.children = {{.tag = "mo", .text = take(1)}}};
    while (!text_.empty() && !at(")")) append(out);
    if (!text_.empty()) out.children.push_back({.tag = "mo", .text = take(1)});
    --depth_;
    return out;
  }

  std::size_t number_size() const {
    std::size_t size = 0;
    const auto digits = [&] {
      while (size < text_.size() && is_digit(text_[size])) ++size;
    };
    digits();
    if (size + 1 < text_.size() && text_[size] == '.' && is_digit(text_[size + 1])) {
      ++size;
      digits();
    }
    const bool power = size + 2 < text_.size() && text_[size] == 'e' &&
                       (text_[size + 1] == '-' || text_[size + 1] == '+') &&
                       is_digit(text_[size + 2]);
    if (power) {
      size += 2;
      digits();
    }
    return size;
  }

  std::size_t name_size() const {
    std::size_t size = 0;
    while (size < text_.size()) {
      const std::string_view rest = text_.substr(size);
      if (!begins_name(rest) && !is_digit(rest.front())) break;
      size += letter_size(rest);
    }
    return size;
  }

  template <std::size_t Count>
  std::string scripts(const Script (&table)[Count]) {
    std::string out;
    for (bool found = true; found && !text_.empty();) {
      found = false;
      for (const Script& one : table) {
        if (!at(one.letter)) continue;
        take(one.letter.size());
        out += one.plain;
        found = true;
        break;
      }
    }
    return out;
  }

  Node with_scripts(Node base) {
    const std::string low = scripts(kLowered);
    Node raised{.tag = "mn", .text = scripts(kRaised)};
    bool above = !raised.text.empty();
    if (!above && at("^") && text_.size() > 1) {
      take(1);
      raised = atom();
      above = true;
    }
    if (!low.empty()) {
      Node lowered{.tag = "mi", .text = low};
      if (!above) return {.tag = "msub", .children = {std::move(base), std::move(lowered)}};
      return {.tag = "msubsup",
              .children = {std::move(base), std::move(lowered), std::move(raised)}};
    }
    if (!above) return base;
    return {.tag = "msup", .children = {std::move(base), std::move(raised)}};
  }

  std::string_view text_;
  int depth_ = 0;
};

// Words at spaces that stand outside of all parentheses.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (const char c : line) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ' ' && depth <= 0) {
      if (!out.back().empty()) out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

}  // namespace

void write_math(HtmlWriter& html, std::string_view line) {
  const std::string clean = harmless(line);
  for (const std::string& word : words_of(clean)) {
    const auto math = html.open("math");
    write(html, Reader(word).all());
  }
}

}  // namespace gradus::report
