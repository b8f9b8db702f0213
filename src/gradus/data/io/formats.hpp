// One parser and one writer per format; read.cpp and write.cpp choose among them.
//
// Parsers get the whole text, decompressed; `name` is the file for error places
// `name:line:column`. Writers return the whole text, or hand
// it to a sink part by part.
#pragma once

#include <string>
#include <string_view>

#include "gradus/data/io/read.hpp"
#include "gradus/data/io/row_texts.hpp"
#include "gradus/data/io/write.hpp"

namespace gradus::io {

struct Input {
  std::string_view text;
  std::string name;
};

// Parsers fill `report` (never null) and may run in parallel under `context`.
Dataset parse_csv(const Input& input, const ReadOptions& options, ReadReport& report,
                  const Context& context);
Dataset parse_arff(const Input& input, const ReadOptions& options, ReadReport& report);
Dataset parse_libsvm(const Input& input, const ReadOptions& options, ReadReport& report,
                     const Context& context);
Dataset parse_jsonl(const Input& input, const ReadOptions& options, ReadReport& report);
Dataset parse_npy(const Input& input, const ReadOptions& options, ReadReport& report,
                  const Context& context);
Dataset parse_idx(const Input& input, const ReadOptions& options, ReadReport& report,
                  const Context& context);
Dataset query_sqlite(const std::string& source, const ReadOptions& options, ReadReport& report,
                     const Context& context);
Dataset query_postgresql(const std::string& source, const ReadOptions& options, ReadReport& report,
                         const Context& context);

std::string format_csv(const Dataset& data, const WriteOptions& options,
                       const Context& context = {});
std::string format_arff(const Dataset& data, const WriteOptions& options,
                        const std::string& relation, const Context& context = {});
std::string format_libsvm(const Dataset& data, const WriteOptions& options,
                          const Context& context = {});
std::string format_jsonl(const Dataset& data, const WriteOptions& options,
                         const Context& context = {});
std::string format_npy(const Dataset& data, const WriteOptions& options,
                       const Context& context = {});
std::string format_idx(const Dataset& data, const WriteOptions& options);

void stream_csv(const Dataset& data, const WriteOptions& options, const Context& context,
                const Sink& sink);
void stream_jsonl(const Dataset& data, const Context& context, const Sink& sink);
void stream_npy(const Dataset& data, const Context& context, const Sink& sink);

}  // namespace gradus::io
