// A container engine on a Unix socket that says what a test tells it to.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace forensics::test {

inline std::string file_text(const std::string& below_tests) {
  std::ifstream file(std::string(FORENSICS_SOURCE_DIR "/tests/unit/") + below_tests, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "why-died-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path.empty()) std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
};

inline std::string ok(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// The body in chunks of at most `size`.
inline std::string chunked(const std::string& body, std::size_t size, const std::string& status = "200 OK") {
  std::ostringstream out;
  out << "HTTP/1.1 " << status << "\r\nApi-Version: 1.41\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (std::size_t at = 0; at < body.size(); at += size) {
    const std::string piece = body.substr(at, size);
    out << std::hex << piece.size() << "\r\n" << piece << "\r\n";
  }
  out << "0\r\n\r\n";
  return out.str();
}

class FakeEngine {
 public:
  /// `answer` gets the target of a request ("/info") and returns the bytes to send; `pause` between pieces of `piece`
  /// bytes.
  explicit FakeEngine(std::function<std::string(const std::string&)> answer, std::chrono::milliseconds pause = {}, std::size_t piece = 1 << 20)
      : answer_(std::move(answer)), pause_(pause), piece_(piece) {
    path_ = (folder_.path / "engine.sock").string();
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof address.sun_path - 1);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::listen(listener_, 16);
    thread_ = std::thread([this] { run(); });
  }
  FakeEngine(const FakeEngine&) = delete;
  FakeEngine& operator=(const FakeEngine&) = delete;
  ~FakeEngine() {
    stop_ = true;
    thread_.join();
    ::close(listener_);
  }
  std::string endpoint() const { return "unix://" + path_; }
  std::string path() const { return path_; }
  std::vector<std::string> requests;   ///< look at it when the engine is idle

 private:
  bool readable(int fd) const {
    pollfd item{fd, POLLIN, 0};
    return ::poll(&item, 1, 20) > 0;
  }
  void run() {
    while (!stop_) {
      if (!readable(listener_)) continue;
      const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) continue;
      serve(fd);
      ::close(fd);
    }
  }
  void serve(int fd) {
    std::string request;
    char buffer[4096];
    while (!stop_ && request.find("\r\n\r\n") == std::string::npos) {
      if (!readable(fd)) continue;
      const ssize_t n = ::read(fd, buffer, sizeof buffer);
      if (n <= 0) return;
      request.append(buffer, static_cast<std::size_t>(n));
    }
    const std::size_t from = request.find(' ') + 1;
    requests.push_back(request.substr(0, request.find(" HTTP")));
    const std::string reply = answer_(request.substr(from, request.find(' ', from) - from));
    for (std::size_t at = 0; at < reply.size() && !stop_; at += piece_) {
      const std::string piece = reply.substr(at, piece_);
      if (::send(fd, piece.data(), piece.size(), MSG_NOSIGNAL) < 0) return;
      if (pause_.count() > 0) std::this_thread::sleep_for(pause_);
    }
  }

  TemporaryFolder folder_;
  std::string path_;
  std::function<std::string(const std::string&)> answer_;
  std::chrono::milliseconds pause_;
  std::size_t piece_;
  int listener_ = -1;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace forensics::test
