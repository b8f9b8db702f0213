#include "gradus/api/save.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/read_file.hpp"
#include "gradus/models/learners.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

Column numbers(const std::string& name, std::vector<double> values) {
  return Column::numeric(name, std::move(values));
}

AnyModel small_model() {
  const Dataset data({numbers("x", {1, 2, 3, 4}), numbers("y", {2, 4, 6, 7})});
  return fit(Baseline{}, data, "y");
}

TEST(Save, a_loaded_model_is_the_saved_one) {
  const TemporaryDirectory dir;
  const AnyModel model = small_model();
  save(model, dir.path("m.gradus"));
  const AnyModel loaded = load(dir.path("m.gradus"));
  EXPECT_EQ(loaded.fingerprint(), model.fingerprint());
  EXPECT_EQ(loaded.provenance().data_fingerprint, model.provenance().data_fingerprint);
  EXPECT_EQ(loaded.info().name, "baseline");
  const Dataset rows({numbers("x", {5})});
  EXPECT_EQ(loaded.predict(rows).values, model.predict(rows).values);
  save(loaded, dir.path("again.gradus"));
  EXPECT_EQ(read_whole_file(dir.path("m.gradus"), 1 << 20),
            read_whole_file(dir.path("again.gradus"), 1 << 20));
}

TEST(Save, refuses_to_replace_when_told_so) {
  const TemporaryDirectory dir;
  save(small_model(), dir.path("m"), Overwrite::refuse);
  EXPECT_THROW(save(small_model(), dir.path("m"), Overwrite::refuse), Error);
}

struct Foreign {
  std::string name;
  std::string bytes;
};

TEST(Load, foreign_files_are_called_foreign) {
  const TemporaryDirectory dir;
  const Foreign files[] = {
      {"pickle", std::string("\x80\x04\x95\x1e\x00\x00\x00\x00\x00\x00\x00\x8c\x08__main__", 20)},
      {"onnx",
       "\x08\x07\x12\x07pytorch\x1a\x03"
       "1.9:"},
      {"png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16)},
      {"elf", std::string("\x7f"
                          "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0",
                          16)},
      {"text", "svm_type c_svc\nkernel_type linear\n"}};
  for (const Foreign& file : files) {
    std::ofstream(dir.path(file.name), std::ios::binary) << file.bytes;
    try {
      load(dir.path(file.name));
      FAIL() << file.name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_data);
      EXPECT_EQ(error.where(), dir.path(file.name));
      EXPECT_EQ(error.message(), "not a Gradus model");
    }
  }
}

TEST(Load, what_is_no_file_ends_quickly) {
  const TemporaryDirectory dir;
  std::ofstream(dir.path("empty"));
  for (const std::string& path : {dir.path("empty"), dir.path(), std::string("/dev/zero")}) {
    try {
      load(path);
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_data) << error.what();
    }
  }
  EXPECT_THROW(load(dir.path("absent")), Error);
}

}  // namespace
}  // namespace gradus
