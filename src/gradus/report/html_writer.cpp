#include "gradus/report/html_writer.hpp"

#include "gradus/report/text_layout.hpp"

namespace gradus::report {

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : harmless(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      case '`': out += "&#96;"; break;
      default: out += c;
    }
  }
  return out;
}

HtmlWriter::Scope::~Scope() {
  writer_->out_ += "</";
  writer_->out_ += tag_;
  writer_->out_ += ">\n";
}

void HtmlWriter::tag(std::string_view name, Attributes attributes) {
  out_ += '<';
  out_ += name;
  for (const auto& [key, value] : attributes) {
    out_ += ' ';
    out_ += key;
    out_ += "=\"" + html_escaped(value) + "\"";
  }
  out_ += '>';
}

HtmlWriter::Scope HtmlWriter::open(std::string_view name, Attributes attributes) {
  tag(name, attributes);
  return {*this, name};
}

void HtmlWriter::element(std::string_view name, Attributes attributes, std::string_view content) {
  tag(name, attributes);
  text(content);
  out_ += "</";
  out_ += name;
  out_ += ">\n";
}

void HtmlWriter::text(std::string_view content) { out_ += html_escaped(content); }

}  // namespace gradus::report
