// Documents for a browser: one file, nothing fetched, nothing run but the script whose digest the
// policy names.
#include <fmt/format.h>

#include <algorithm>

#include "gradus/report/html_assets.hpp"
#include "gradus/report/html_writer.hpp"
#include "gradus/report/mathml.hpp"
#include "gradus/report/render.hpp"
#include "gradus/report/text_layout.hpp"
#include "gradus/report/value_blocks.hpp"

namespace gradus::report {
namespace {

class HtmlRenderer {
 public:
  explicit HtmlRenderer(HtmlWriter& html) : html_(html) {}

  void operator()(const Heading& heading) { html_.element("h2", heading.text); }

  void operator()(const Paragraph& paragraph) { html_.element("p", paragraph.text); }

  void operator()(const Formula& formula) {
    const auto box = html_.open("div", {{"class", "formula"}});
    for (const std::string& line : formula_lines(formula.text)) {
      const auto paragraph = html_.open("p");
      write_math(html_, line);
    }
  }

  void operator()(const KeyValues& list) {
    const auto all = html_.open("dl");
    for (const auto& [key, value] : list.items) {
      const auto pair = html_.open("div");
      html_.element("dt", key);
      html_.element("dd", value);
    }
  }

  void operator()(const Table& table) {
    {
      const auto around = html_.open("div", {{"class", "scroll"}, {"tabindex", "0"}});
      const auto whole = html_.open("table", {{"class", sorts(table) ? "sorts" : "plain"}});
      if (!table.caption.empty()) html_.element("caption", table.caption);
      if (!table.header.empty()) head(table);
      const auto body = html_.open("tbody");
      for (std::size_t i = 0; i < table.rows.size(); ++i) row(table, i);
    }
    if (table.left_out > 0) {
      html_.element("p", {{"class", "rest"}}, fmt::format("… and {} more", table.left_out));
    }
  }

  void operator()(const Headline& headline) {
    const auto all = html_.open("dl", {{"class", "headline"}});
    for (const Headline::Item& item : headline.items) {
      const auto card = html_.open("div");
      html_.element("dt", item.name);
      html_.element("dd", {{"class", "big"}}, item.value);
      if (!item.detail.empty()) html_.element("dd", {{"class", "detail"}}, item.detail);
    }
  }

  void operator()(const Figure& figure) {
    const std::string id = fmt::format("figure-{}", ++figures_);
    const bool wide = figure.is_wide();
    const auto whole = html_.open("figure", {{"id", id}, {"class", wide ? "wide" : "fits"}});
    html_.element("figcaption", figure.title());
    {
      // What scrolls can be reached by keyboard, as tables can.
      const auto scroll = wide ? html_.open("div", {{"class", "scroll"},
                                                    {"tabindex", "0"},
                                                    {"role", "group"},
                                                    {"aria-label", figure.title()}})
                               : html_.open("div", {{"class", "scroll"}});
      html_.fixed(draw_svg(figure, id));
    }
    html_.element("p", {{"class", "rest"}}, figure.description());
    const auto details = html_.open("details");
    html_.element("summary", "Data");
    const FigureTable data = figure_table(figure);
    Table table{.header = data.header, .rows = data.rows};
    table.align.assign(data.header.size(), Align::right);
    table.align[0] = Align::left;
    (*this)(table);
  }

  void operator()(const StepBlock& block) {
    const Step& step = block.step;
    const std::string id = fmt::format("step-{}", step.number);
    const auto section = html_.open("section", {{"class", "step"}, {"id", id}});
    {
      const auto title = html_.open("h3");
      html_.element("span", {{"class", "n"}}, std::to_string(step.number));
      html_.element("bdi", step.title);
    }
    if (!step.path.empty()) html_.element("p", {{"class", "path"}}, step.path);
    if (!step.formula.empty()) (*this)(Formula{step.formula});
    for (const Block& inner : value_blocks(step.values)) std::visit(*this, inner);
    if (!step.text.empty()) html_.element("p", {{"class", "conclusion"}}, step.text);
  }

 private:
  void spark(const std::vector<double>& heights) {
    const auto cell = html_.open("td", {{"class", "spark"}});
    const auto picture = html_.open(
        "svg",
        {{"viewBox", fmt::format("0 0 {} 24", heights.size() * 8)}, {"aria-hidden", "true"}});
    for (std::size_t i = 0; i < heights.size(); ++i) {
      const double height = std::max(0.6, heights[i] * 24);
      html_.element("rect",
                    {{"x", std::to_string(i * 8)},
                     {"y", fmt::format("{:.1f}", 24 - height)},
                     {"width", "7"},
                     {"height", fmt::format("{:.1f}", height)}},
                    "");
    }
  }

  static std::string_view class_of(const Table& table, std::size_t column) {
    const bool right = column < table.align.size() && table.align[column] == Align::right;
    return right ? "number" : "word";
  }

  // Tables of some length can be sorted; a table with indented rows has an order of its own.
  static bool sorts(const Table& table) {
    return table.rows.size() > 5 && !table.header.empty() && table.depth.empty();
  }

  void head(const Table& table) {
    const auto part = html_.open("thead");
    const auto line = html_.open("tr");
    for (std::size_t i = 0; i < table.header.size(); ++i) {
      // An empty corner is no heading.
      if (table.header[i].empty()) {
        html_.element("td", {{"class", class_of(table, i)}}, "");
      } else {
        html_.element("th", {{"scope", "col"}, {"class", class_of(table, i)}}, table.header[i]);
      }
    }
    if (!table.bars.empty() || !table.sparks.empty()) html_.element("td", "");
  }

  void row(const Table& table, std::size_t index) {
    const bool marked =
        std::find(table.marked.begin(), table.marked.end(), index) != table.marked.end();
    const auto line = html_.open("tr", {{"class", marked ? "marked" : "plain"}});
    const auto& cells = table.rows[index];
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i == 0) {
        const std::size_t depth = table.depth.empty() ? 0 : table.depth[index];
        const std::string style = fmt::format("padding-left:{}rem", depth);
        html_.element("th", {{"scope", "row"}, {"style", style}}, cells[i]);
      } else {
        html_.element("td", {{"class", class_of(table, i)}}, cells[i]);
      }
    }
    if (!table.sparks.empty()) spark(table.sparks[index]);
    if (!table.bars.empty()) {
      const auto cell = html_.open("td", {{"class", "bar"}});
      html_.element("i", {{"style", fmt::format("width:{:.1f}%", table.bars[index] * 100)}}, "");
    }
  }

  HtmlWriter& html_;
  std::size_t figures_ = 0;
};

void write_head(HtmlWriter& html, const Document& document) {
  html.fixed("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
  html.fixed(
      fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                  "'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'\">\n",
                  kScriptDigest));
  html.fixed("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  html.element("title",
               document.title + (document.subtitle.empty() ? "" : ": ") + document.subtitle);
  html.fixed("<style>");
  html.fixed(kStyle);
  html.fixed("</style>\n</head>\n<body>\n");
}

void write_navigation(HtmlWriter& html) {
  const auto bar = html.open("nav", {{"aria-label", "Steps"}});
  html.element("button", {{"type", "button"}, {"class", "wide"}}, "First");
  html.element("button", {{"type", "button"}}, "← Back");
  html.element("button", {{"type", "button"}}, "Forward →");
  html.element("output", {{"aria-live", "polite"}}, "");
  html.element("button", {{"type", "button"}}, "One at a time");
}

bool is_step(const Block& block) { return std::holds_alternative<StepBlock>(block); }
bool is_figure(const Block& block) { return std::holds_alternative<Figure>(block); }

}  // namespace

std::string render_html(const Document& document) {
  HtmlWriter html;
  write_head(html, document);
  {
    const auto header = html.open("header");
    html.element("h1", document.title);
    if (!document.subtitle.empty()) html.element("p", {{"class", "subtitle"}}, document.subtitle);
  }
  {
    const auto main = html.open("main");
    HtmlRenderer renderer(html);
    bool navigation = false;
    for (std::size_t i = 0; i < document.blocks.size(); ++i) {
      if (is_step(document.blocks[i]) && !navigation) {
        write_navigation(html);
        navigation = true;
      }
      if (!is_figure(document.blocks[i])) {
        std::visit(renderer, document.blocks[i]);
        continue;
      }
      // Figures that follow each other stand side by side where there is room.
      const auto row = html.open("div", {{"class", "figures"}});
      for (; i < document.blocks.size() && is_figure(document.blocks[i]); ++i) {
        std::visit(renderer, document.blocks[i]);
      }
      --i;
    }
  }
  html.element("footer", "Written by Gradus, machine learning that shows its work.");
  html.fixed("<script>");
  html.fixed(kScript);
  html.fixed("</script>\n</body>\n</html>\n");
  return html.take();
}

}  // namespace gradus::report
