// The steps of an ID3 fit.
#pragma once

#include "gradus/models/tree/id3/events.hpp"
#include "gradus/models/tree/id3/words.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

void explain_id3_node(const Id3NodeEvent& event, const Id3Model& model, const Id3Paths& paths,
                      const Signature& signature, Trace& trace);
void explain_id3_tree(const Id3Model& model, const Signature& signature, Trace& trace);

}  // namespace gradus
