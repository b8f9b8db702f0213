#include "gradus/report/document.hpp"

namespace gradus::report {
namespace {

Value to_value(const Heading& heading) {
  return object({{"type", "heading"}, {"text", heading.text}});
}

Value to_value(const Paragraph& paragraph) {
  return object({{"type", "paragraph"}, {"text", paragraph.text}});
}

Value to_value(const Formula& formula) {
  return object({{"type", "formula"}, {"text", formula.text}});
}

Value to_value(const KeyValues& list) {
  Value items = Value::Array();
  for (const auto& [key, value] : list.items) {
    items.push_back(object({{"key", key}, {"value", value}}));
  }
  return object({{"type", "values"}, {"items", items}});
}

Value to_value(const Table& table) {
  Value rows = Value::Array();
  for (const auto& row : table.rows) rows.push_back(Value(row));
  Value out = object({{"type", "table"}, {"caption", table.caption}});
  out["header"] = Value(table.header);
  out["rows"] = rows;
  out["left_out"] = Value(table.left_out);
  return out;
}

Value to_value(const Headline& headline) {
  Value items = Value::Array();
  for (const Headline::Item& item : headline.items) {
    items.push_back(object({{"name", item.name}, {"value", item.value}, {"detail", item.detail}}));
  }
  return object({{"type", "headline"}, {"items", items}});
}

Value to_value(const Figure& figure) {
  const FigureTable table = figure_table(figure);
  Value rows = Value::Array();
  for (const auto& row : table.rows) rows.push_back(Value(row));
  Value out = object({{"type", "figure"}, {"title", figure.title()}});
  out["description"] = figure.description();
  out["header"] = Value(table.header);
  out["rows"] = rows;
  return out;
}

Value to_value(const StepBlock& block) {
  return object({{"type", "step"}, {"step", gradus::to_value(block.step)}});
}

}  // namespace

Block::Block(Heading part) : variant(std::move(part)) {}
Block::Block(Paragraph part) : variant(std::move(part)) {}
Block::Block(Formula part) : variant(std::move(part)) {}
Block::Block(KeyValues part) : variant(std::move(part)) {}
Block::Block(Table part) : variant(std::move(part)) {}
Block::Block(StepBlock part) : variant(std::move(part)) {}
Block::Block(Headline part) : variant(std::move(part)) {}
Block::Block(Figure part) : variant(std::move(part)) {}
Block::Block(const Block& other) = default;
Block::Block(Block&& other) noexcept = default;
Block& Block::operator=(const Block& other) = default;
Block& Block::operator=(Block&& other) noexcept = default;
Block::~Block() = default;

void Document::add(Block block) { blocks.push_back(std::move(block)); }

void Document::add(std::vector<Block> more) {
  for (Block& block : more) blocks.push_back(std::move(block));
}

Value to_value(const Document& document) {
  Value blocks = Value::Array();
  for (const Block& block : document.blocks) {
    blocks.push_back(std::visit([](const auto& one) { return to_value(one); }, block));
  }
  return object({{"title", document.title}, {"subtitle", document.subtitle}, {"blocks", blocks}});
}

}  // namespace gradus::report
