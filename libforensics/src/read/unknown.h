// What can be said about sources that no reader understands, or that only the reader of any text takes.
#pragma once

#include <string_view>

namespace forensics {

struct Unknown {
  std::string_view code, message;   ///< of a diagnostic
};

/// A source that no row of the format table takes.
Unknown unknown_kind(std::string_view head);

/// A JSON document that is taken for lines of text, because it is of no known kind or cut off before it shows of which.
/// Empty if it is no such document. `whole`: the head is all there is.
Unknown unread_json(std::string_view head, bool whole);

}  // namespace forensics
