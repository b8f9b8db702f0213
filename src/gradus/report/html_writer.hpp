// Markup that cannot be broken by its content: text and attribute values go through one door that
// escapes them, and every element that is opened is closed.
//
//   HtmlWriter html;
//   html.element("td", {{"class", "number"}}, "<script>");   // <td
//   class="number">&lt;script&gt;</td> { auto table = html.open("table"); … }                    //
//   closes at the end of the scope
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace gradus::report {

class HtmlWriter {
 public:
  using Attribute = std::pair<std::string_view, std::string_view>;
  using Attributes = std::initializer_list<Attribute>;

  // Closes its element when it goes.
  class Scope {
   public:
    Scope(HtmlWriter& writer, std::string_view tag) : writer_(&writer), tag_(tag) {}
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    HtmlWriter* writer_;
    std::string_view tag_;
  };

  [[nodiscard]] Scope open(std::string_view tag, Attributes attributes = {});
  void element(std::string_view tag, Attributes attributes, std::string_view text);
  void element(std::string_view tag, std::string_view text) { element(tag, {}, text); }
  void text(std::string_view text);
  // Only for the fixed parts of the page (head, style, script): never for anything from outside.
  void fixed(std::string_view markup) { out_ += markup; }
  std::string take() { return std::move(out_); }

 private:
  void tag(std::string_view name, Attributes attributes);

  std::string out_;
};

// Text for an HTML document: markup, control characters and bidirectional marks are harmless.
std::string html_escaped(std::string_view text);

}  // namespace gradus::report
