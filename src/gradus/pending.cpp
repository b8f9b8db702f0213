// Declared, and not built yet: each part removes its lines here when it arrives.
#include "gradus/core/error.hpp"
#include "gradus/data/io/formats.hpp"

namespace gradus {

namespace {
[[noreturn]] void pending(const char* what) {
  throw Error(ErrorKind::internal, what, "not built yet");
}
}  // namespace

namespace io {
// io: the other formats
Dataset parse_arff(const Input&, const ReadOptions&, ReadReport&) { pending("arff"); }
Dataset parse_libsvm(const Input&, const ReadOptions&, ReadReport&, const Context&) {
  pending("libsvm");
}
Dataset parse_jsonl(const Input&, const ReadOptions&, ReadReport&) { pending("jsonl"); }
Dataset parse_npy(const Input&, const ReadOptions&, ReadReport&) { pending("npy"); }
Dataset parse_idx(const Input&, const ReadOptions&, ReadReport&) { pending("idx"); }
Dataset query_sqlite(const std::string&, const ReadOptions&, ReadReport&, const Context&) {
  pending("sqlite");
}
Dataset query_postgresql(const std::string&, const ReadOptions&, ReadReport&, const Context&) {
  pending("postgresql");
}
std::string format_arff(const Dataset&, const WriteOptions&, const std::string&) {
  pending("arff");
}
std::string format_libsvm(const Dataset&, const WriteOptions&) { pending("libsvm"); }
std::string format_jsonl(const Dataset&, const WriteOptions&) { pending("jsonl"); }
std::string format_npy(const Dataset&, const WriteOptions&) { pending("npy"); }
std::string format_idx(const Dataset&, const WriteOptions&) { pending("idx"); }
}  // namespace io

}  // namespace gradus
