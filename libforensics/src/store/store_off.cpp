// A build without SQLite: the store says so.
#include "forensics/error.h"
#include "forensics/store.h"

namespace forensics {

struct Store::Impl {};

Store::Store(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::open(const std::filesystem::path& file) {
  throw Error(ErrorCode::store, file.string(), "this build has no SQLite", "build with FORENSICS_WITH_STORE=ON");
}
void Store::save(const std::string&, const Report&) {}
void Store::save_unreadable(const std::string&, const std::string&) {}

}  // namespace forensics
