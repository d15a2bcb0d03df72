#include "collect/kmsg.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace forensics {

namespace {

constexpr std::size_t longest_record = 16 * 1024;        // the kernel's own limit is half of it
constexpr std::uint64_t most_bytes = 256 * 1024 * 1024;  // a kernel that prints faster than we read has no end

class KmsgSource final : public ByteSource {
 public:
  KmsgSource(int fd, std::string name, Pipeline& pipeline) : fd_(fd), name_(std::move(name)), pipeline_(pipeline) {}
  KmsgSource(const KmsgSource&) = delete;
  KmsgSource& operator=(const KmsgSource&) = delete;
  ~KmsgSource() override {
    if (overwritten_ > 0)
      pipeline_.diagnose({name_, 0, "ring-buffer-overrun", "the kernel overwrote records while they were read", overwritten_});
    ::close(fd_);
  }

  std::size_t read(char* out, std::size_t size) override {
    if (at_ == held_.size() && !next()) return 0;
    const std::size_t n = std::string_view(held_).substr(at_).copy(out, size);
    at_ += n;
    return n;
  }

  /// The first record, so that a device that opens but refuses to be read is known as closed.
  int first_error() {
    next();
    return error_;
  }

 private:
  bool next() {
    held_.resize(longest_record);
    at_ = 0;
    while (total_ < most_bytes) {
      const ssize_t n = ::read(fd_, held_.data(), held_.size());
      if (n < 0 && (errno == EINTR || errno == EPIPE)) {
        overwritten_ += errno == EPIPE;
        continue;
      }
      error_ = n < 0 && errno != EAGAIN ? errno : 0;
      held_.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
      total_ += held_.size();
      return n > 0;
    }
    held_.clear();
    return false;
  }

  int fd_, error_ = 0;
  std::string name_, held_;
  Pipeline& pipeline_;
  std::size_t at_ = 0;
  std::uint64_t overwritten_ = 0, total_ = 0;
};

std::int64_t clock_us(clockid_t clock) {
  struct ::timespec now {};
  ::clock_gettime(clock, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
}

/// The ring buffer counts from boot; this machine knows when that was.
class DatedReader final : public Reader {
 public:
  DatedReader(std::unique_ptr<Reader> inner, std::int64_t boot) : inner_(std::move(inner)), boot_(boot) {}

  bool next(Batch& batch) override {
    const bool more = inner_->next(batch);
    for (Stamp& stamp : batch.stamps) date(stamp);
    return more;
  }
  Stamp parse(const Batch& batch, const Record& record, Event& event) const override {
    Stamp stamp = inner_->parse(batch, record, event);
    date(stamp);
    return stamp;
  }

 private:
  void date(Stamp& stamp) const {
    if (!stamp.monotonic || stamp.wall) return;
    stamp.wall = boot_ + *stamp.monotonic;
    stamp.kind = Stamp::Wall::utc;
    stamp.inferred = true;
  }

  std::unique_ptr<Reader> inner_;
  std::int64_t boot_;
};

std::string hint_for(int error) {
  if (error == EPERM || error == EACCES)
    return "run it as root (sudo why-died ...), or let everybody read the ring buffer: sudo sysctl kernel.dmesg_restrict=0";
  return "run it on the host itself, not inside a container, or give it the output of dmesg with --in";
}

}  // namespace

bool collect_kmsg(const std::string& path, Pipeline& pipeline, std::string& why, std::string& hint) {
  const auto closed = [&](int error) {
    why = std::strerror(error);
    hint = hint_for(error);
    return false;
  };
  const int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return closed(errno);
  KmsgSource source(fd, path, pipeline);
  if (const int error = source.first_error(); error != 0) return closed(error);
  const auto row = std::find_if(formats().begin(), formats().end(), [](const FormatDef& f) { return f.name == "kmsg"; });
  if (row == formats().end()) {
    pipeline.add(path, source);
    return true;
  }
  const std::int64_t boot = clock_us(CLOCK_REALTIME) - clock_us(CLOCK_MONOTONIC);
  pipeline.add(path, row->name, row->trust, [&](SourceContext& context) {
    return std::make_unique<DatedReader>(row->open(source, context), boot);
  });
  return true;
}

}  // namespace forensics
