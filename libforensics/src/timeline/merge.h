// From dated anchors of many sources to one timeline and its matches.
#pragma once

#include <vector>

#include "rules/match.h"
#include "timeline/clock.h"

namespace forensics {

/// One record, several witnesses: equal text at the same moment is one event, matched by multiplicity (the k-th of one
/// source with the k-th of another); two records of one source are never merged. Then everything is put in order: by
/// time, inside a source by file order. Clause hits become matches.
Evidenced merge(std::vector<ReadSource>& sources, Anchors& anchors, const Matcher& matcher,
                std::vector<Diagnostic> diagnostics);

}  // namespace forensics
