#include "gradus/contract/info_value.hpp"

#include <span>

namespace gradus {
namespace {

template <class Flag>
std::vector<std::string> words_of(Flags<Flag> flags, std::span<const std::string_view> words) {
  std::vector<std::string> chosen;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (flags.has(static_cast<Flag>(i))) chosen.emplace_back(words[i]);
  }
  return chosen;
}

}  // namespace

std::vector<std::string> task_words(Flags<Task> tasks) {
  const std::string_view words[] = {task_word(Task::classify), task_word(Task::regress),
                                    task_word(Task::cluster)};
  return words_of(tasks, words);
}

std::vector<std::string> accept_words(Flags<Accept> accepts) {
  constexpr std::string_view kWords[] = {"numeric",      "nominal",     "ordinal",
                                         "missing",      "sparse",      "weights",
                                         "many_outputs", "no_features", "missing_at_prediction",
                                         "validation"};
  return words_of(accepts, kWords);
}

std::vector<std::string> give_words(Flags<Give> gives) {
  constexpr std::string_view kWords[] = {"probabilities", "incremental", "explains_fit",
                                         "explains_row",  "same_answer", "transforms",
                                         "outliers",      "partial"};
  return words_of(gives, kWords);
}

Value to_value(const Info& info) {
  return object(
      {{"name", info.name},
       {"family", info.family},
       {"summary", info.summary},
       {"tasks", Value(task_words(info.tasks))},
       {"accepts", Value(accept_words(info.accepts))},
       {"gives", Value(give_words(info.gives))},
       {"encode",
        info.accepts.has(Accept::nominal) ? Value() : Value(encoding_word(info.encode))}});
}

}  // namespace gradus
