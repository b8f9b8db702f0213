#include "gradus/data/io/passwords.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>

#include "gradus/core/error.hpp"
#include "gradus/data/io/table_builder.hpp"

namespace gradus::io {
namespace {

struct Kept {
  std::mutex mutex;
  std::map<std::string, std::string> by_database;
};
Kept& kept() {
  static Kept all;
  return all;
}

// `%40` is `@` in an address, and only there.
std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    const char* first = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(first, first + 2, code, 16).ptr == first + 2) {
      out += static_cast<char>(code);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Cuts `user:password@` down to `user@`; `begin` is behind `://`.
std::string cut_from_user(std::string& word, std::size_t begin) {
  const std::size_t end = std::min(word.find_first_of("/?", begin), word.size());
  const std::size_t colon = word.find(':', begin);
  const std::size_t at = word.rfind('@', end);
  if (at == std::string::npos || at < begin || colon >= at) return {};
  std::string password = word.substr(colon + 1, at - colon - 1);
  word.erase(colon, at - colon);
  return password;
}

// Cuts `password=…` out of the parameters, which stand between the first two question marks.
std::string cut_from_parameters(std::string& word, std::size_t begin) {
  const std::size_t first = word.find('?', begin);
  if (first == std::string::npos) return {};
  const std::size_t end = std::min(word.find('?', first + 1), word.size());
  for (std::size_t at = first; at < end; at = std::min(word.find('&', at + 1), end)) {
    constexpr std::string_view kName = "password=";
    if (word.compare(at + 1, kName.size(), kName) != 0) continue;
    const std::size_t value = at + 1 + kName.size();
    const std::size_t stop = std::min(std::min(word.find('&', value), word.size()), end);
    std::string password = word.substr(value, stop - value);
    // Parameters stay parameters: the mark before the first of them goes only with the last.
    word.erase(stop < end ? at + 1 : at, stop - at);
    return password;
  }
  return {};
}

}  // namespace

std::string take_password(std::string word) {
  for (const std::string_view scheme : {"postgresql://", "postgres://"}) {
    const std::size_t at = word.find(scheme);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + scheme.size();
    std::string password = cut_from_user(word, begin);
    if (password.empty()) password = cut_from_parameters(word, begin);
    if (password.empty()) return word;
    try {
      const std::string database = split_query(word.substr(at)).database;
      const std::lock_guard lock(kept().mutex);
      kept().by_database[database] = percent_decoded(password);
    } catch (const Error&) {
      // There is no query: reading will refuse the address.
    }
    return word;
  }
  return word;
}

std::string password_for(const std::string& database) {
  const std::lock_guard lock(kept().mutex);
  const auto found = kept().by_database.find(database);
  return found == kept().by_database.end() ? std::string() : found->second;
}

}  // namespace gradus::io
