// A whole file into memory: models, configurations, schemas.
//
// The size is known and compared with the limit before anything is allocated. A directory or a
// device is refused at once, so that `/dev/zero` or a mistyped folder cannot keep a program busy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gradus {

// Error{missing_input}, Error{permission}, Error{bad_data} for what is not a file, Error{limit}
// when it holds more than `limit` bytes, Error{io} when reading fails half way.
//
// With a `magic`, a file that starts otherwise is not read to its end: its first bytes come back,
// for the caller to refuse. A foreign file of many gigabytes costs no more than a small one.
std::string read_whole_file(const std::string& path, std::uint64_t limit,
                            std::string_view magic = {});

}  // namespace gradus
