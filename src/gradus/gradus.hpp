// Gradus: machine learning that shows its work. This header is the whole public interface.
//
//   gradus::Dataset data = gradus::read_csv("iris.csv");
//   auto [train, test] = gradus::split(data, {.test = 0.3, .seed = 7});
//   auto model = gradus::fit(gradus::NaiveBayes{}, train, "species");
//   gradus::Value scores = gradus::evaluate(model, test);
//   gradus::save(model, "iris.gradus");
#pragma once

#include "gradus/api/fit.hpp"
#include "gradus/api/fit_in_parts.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/data/io/read.hpp"
#include "gradus/data/io/write.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/models/learners.hpp"
#include "gradus/trace/trace.hpp"
#include "gradus/version.hpp"
