// What a report says, without how it looks: headings, paragraphs, tables, formulas, lists of names
// and values, and the numbered steps of an explanation.
//
// Builders (explanation.hpp, parameters.hpp, scores.hpp) put a document together; renderers turn it
// into text for a terminal, JSON for programs or one HTML file for a browser. No builder writes
// markup, so that whatever stands in a name stays a name.
//
//   Document page{.title = "naive_bayes on weather.csv"};
//   page.add(KeyValues{{{"rows", "14"}, {"target", "play"}}});
//   std::string text = render_text(page);
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gradus/core/value.hpp"
#include "gradus/report/figure.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus::report {

struct Heading {
  std::string text;
};

struct Paragraph {
  std::string text;
};

struct Formula {
  std::string text;
};

struct KeyValues {
  std::vector<std::pair<std::string, std::string>> items;
};

enum class Align { left, right };

struct Table {
  std::string caption = {};
  std::vector<std::string> header = {};  // may be empty
  std::vector<Align> align = {};         // per column; left where absent
  std::vector<std::vector<std::string>> rows = {};
  std::vector<double> bars = {};  // per row, in [0, 1]: how long a bar beside it is; or empty
  std::vector<std::size_t> marked = {};  // rows that deserve attention
  std::vector<std::size_t> depth = {};   // per row: how far its name is indented; or empty
  std::size_t left_out = 0;              // rows that a cap removed
  // Per row: the heights of a small histogram, in [0, 1]; or empty.
  std::vector<std::vector<double>> sparks = {};
};

// One numbered step; its values are laid out by `value_blocks`.
struct StepBlock {
  Step step;
};

// The figures that matter most, large: "accuracy 0.953", its interval and the baseline below.
struct Headline {
  struct Item {
    std::string name;
    std::string value;
    std::string detail = {};  // "0.91 to 0.98", "baseline 0.33"
  };
  std::vector<Item> items;
};

// One of them. Copies and moves are compiled once, in document.cpp: every page is made of blocks.
class Block : public std::variant<Heading, Paragraph, Formula, KeyValues, Table, StepBlock,
                                  Headline, Figure> {
 public:
  Block(Heading part);
  Block(Paragraph part);
  Block(Formula part);
  Block(KeyValues part);
  Block(Table part);
  Block(StepBlock part);
  Block(Headline part);
  Block(Figure part);
  Block(const Block& other);
  Block(Block&& other) noexcept;
  Block& operator=(const Block& other);
  Block& operator=(Block&& other) noexcept;
  ~Block();
};

struct Document {
  std::string title = {};
  std::string subtitle = {};
  std::vector<Block> blocks = {};

  void add(Block block);
  void add(std::vector<Block> more);
};

// The document as data: `{title, subtitle, blocks: [{type, …}]}`.
Value to_value(const Document& document);

}  // namespace gradus::report
