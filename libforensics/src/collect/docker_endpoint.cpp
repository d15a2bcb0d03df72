// Where engines listen, and the small codecs of their API. No network here.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "collect/docker_api.h"
#include "forensics/error.h"

namespace forensics {

namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

[[noreturn]] void refuse(const std::string& endpoint, const std::string& reason) {
  throw Error(ErrorCode::usage, endpoint, reason, "unix:///var/run/docker.sock and tcp://HOST:PORT are understood");
}

}  // namespace

EngineClient::EngineClient(std::string endpoint, EngineLimits limits) : endpoint_(std::move(endpoint)), limits_(limits) {
  std::string_view rest = endpoint_;
  if (rest.starts_with("unix://") || rest.starts_with('/')) {
    if (rest.starts_with("unix://")) rest.remove_prefix(7);
    if (!rest.starts_with('/')) refuse(endpoint_, "the path of a socket must be absolute");
    if (rest.size() >= 108) refuse(endpoint_, "the path is longer than a socket's may be");
    path_ = rest;
    return;
  }
  if (!rest.starts_with("tcp://") && !rest.starts_with("http://")) refuse(endpoint_, "not an address of an engine that can be asked");
  rest.remove_prefix(rest.find("//") + 2);
  rest = rest.substr(0, rest.find('/'));
  const std::size_t colon = rest.rfind(':');
  const bool has_port = colon != rest.npos && rest.find(']', colon) == rest.npos;
  host_ = rest.substr(0, has_port ? colon : rest.npos);
  port_ = has_port ? std::string(rest.substr(colon + 1)) : "2375";
  if (host_.size() > 2 && host_.front() == '[') host_ = host_.substr(1, host_.size() - 2);
  if (host_.empty() || port_.empty() || port_.find_first_not_of("0123456789") != port_.npos) refuse(endpoint_, "no host and port");
}

std::vector<std::string> engine_endpoints(const std::string& asked) {
  if (!asked.empty()) return {asked};
  if (const std::string host = environment("DOCKER_HOST"); !host.empty()) return {host};
  std::vector<std::string> list = {"unix:///var/run/docker.sock", "unix:///run/podman/podman.sock"};
  if (const std::string runtime = environment("XDG_RUNTIME_DIR"); runtime.starts_with('/')) {
    list.push_back("unix://" + runtime + "/docker.sock");   // rootless
    list.push_back("unix://" + runtime + "/podman/podman.sock");
  }
  return list;
}

std::string url_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    if (plain) out += c;
    else (out += '%') += {digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

std::string without_frames(std::string_view body) {
  std::string out;
  std::string_view rest = body;
  while (rest.size() >= 8) {
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(rest[i])); };
    if (byte(0) > 2 || byte(1) != 0 || byte(2) != 0 || byte(3) != 0) return std::string(body);
    const std::size_t size = byte(4) << 24 | byte(5) << 16 | byte(6) << 8 | byte(7);
    out += rest.substr(8, size);   // the last one may be cut
    rest.remove_prefix(std::min(rest.size(), 8 + size));
  }
  return out.empty() && !body.empty() && body.size() < 8 ? std::string(body) : out;
}

}  // namespace forensics
