// The steps of a k-means fit and of one prediction.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/models/cluster/kmeans/events.hpp"
#include "gradus/models/cluster/kmeans/lloyd.hpp"
#include "gradus/models/cluster/kmeans/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus::kmeans {

// Turns the events of one start into steps. Without a trace it does nothing.
class Explainer final : public Watcher {
 public:
  // `start` is the number of the start, 0 when there is only one.
  Explainer(Trace* trace, const Signature& signature, int start)
      : trace_(trace), signature_(signature), start_(start) {}

  // What the fit has to tell about: null when nobody listens.
  Watcher* watcher() { return trace_ == nullptr ? nullptr : this; }

  void started(const Points& points, const std::vector<double>& centers);
  void assigned(const AssignEvent& event) override;
  void updated(const UpdateEvent& event) override;
  void stopped(const LloydResult& result);

 private:
  std::string path(std::size_t iteration) const;

  Trace* trace_;
  const Signature& signature_;
  int start_;
};

void explain_result(const KMeansModel& model, const std::vector<std::int32_t>& labels,
                    const Signature& signature, Trace& trace);

void explain_choice(const KMeansModel& model, std::span<const double> row,
                    const Signature& signature, Trace& trace);

}  // namespace gradus::kmeans
