// One GET with Boost.Beast. Everything is asynchronous inside and waited for at once, because only so can it be timed.
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include "collect/docker_api.h"

namespace forensics {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;

EngineTrouble trouble_of(error_code error, bool connecting) {
  if (error == beast::error::timeout || error == asio::error::timed_out) return EngineTrouble::timed_out;
  if (error == asio::error::access_denied || error == boost::system::errc::operation_not_permitted) return EngineTrouble::denied;
  if (error == http::error::body_limit) return EngineTrouble::too_large;
  if (connecting) return EngineTrouble::absent;
  const bool ended = error == http::error::partial_message || error == asio::error::connection_reset ||
                     error == asio::error::eof || error == asio::error::broken_pipe;
  return ended ? EngineTrouble::cut : EngineTrouble::not_http;
}

std::string sentence(EngineTrouble trouble, error_code error) {
  switch (trouble) {
    case EngineTrouble::none: return {};
    case EngineTrouble::absent: return "no engine listens there (" + error.message() + ")";
    case EngineTrouble::denied: return "permission denied";
    case EngineTrouble::timed_out: return "no answer in time";
    case EngineTrouble::too_large: return "the answer is larger than 16 MiB";
    case EngineTrouble::cut: return "the connection ended before the answer did";
    case EngineTrouble::not_http: return "what answers there is no container engine (" + error.message() + ")";
    case EngineTrouble::unsupported: break;
  }
  return "this build cannot ask a container engine";
}

EngineAnswer failed(error_code error, bool connecting) {
  EngineAnswer answer;
  answer.trouble = trouble_of(error, connecting);
  answer.why = sentence(answer.trouble, error);
  return answer;
}

/// Sends the request on a connected stream and reads the answer.
template <class Stream>
EngineAnswer exchange(asio::io_context& context, Stream& stream, std::string_view target, const EngineLimits& limits,
                      std::chrono::steady_clock::time_point deadline) {
  http::request<http::empty_body> request{http::verb::get, {target.data(), target.size()}, 11};
  request.set(http::field::host, "docker");
  request.set(http::field::user_agent, "why-died");
  request.set(http::field::connection, "close");
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(limits.body);
  error_code result = asio::error::would_block;
  const auto read_body = [&](error_code error, std::size_t) {
    // Beast would reserve what the header promises before it looks at the limit.
    if (!error && parser.content_length().value_or(0) > limits.body) error = http::error::body_limit;
    result = error;
    if (!error) http::async_read(stream, buffer, parser, [&](error_code ended, std::size_t) { result = ended; });
  };
  stream.expires_at(deadline);
  http::async_write(stream, request, [&](error_code error, std::size_t) {
    result = error;
    if (!error) http::async_read_header(stream, buffer, parser, read_body);
  });
  context.restart();
  context.run();
  EngineAnswer answer = result ? failed(result, false) : EngineAnswer{};
  if (!parser.is_header_done()) {
    if (answer.trouble == EngineTrouble::cut) answer = failed(http::error::end_of_stream, false);
    return answer;
  }
  answer.status = static_cast<int>(parser.get().result_int());
  answer.body = std::move(parser.get().body());
  return answer;
}

/// Runs `connect`, which starts an asynchronous connection, and then the exchange.
template <class Stream, class Connect>
EngineAnswer ask(asio::io_context& context, Stream& stream, std::string_view target, const EngineLimits& limits, Connect connect) {
  const auto deadline = std::chrono::steady_clock::now() + limits.all;
  error_code connected = asio::error::would_block;
  stream.expires_after(limits.connect);
  connect([&](error_code error) { connected = error; });
  context.run();
  if (connected) return failed(connected, true);
  return exchange(context, stream, target, limits, deadline);
}

}  // namespace

EngineAnswer EngineClient::get(std::string_view target) const {
  try {
    asio::io_context context;
    if (!path_.empty()) {
      beast::basic_stream<asio::local::stream_protocol> stream(context);
      const asio::local::stream_protocol::endpoint endpoint(path_);
      return ask(context, stream, target, limits_, [&](auto done) { stream.async_connect(endpoint, done); });
    }
    beast::tcp_stream stream(context);
    asio::ip::tcp::resolver resolver(context);
    error_code unresolved;
    const auto endpoints = resolver.resolve(host_, port_, unresolved);
    if (unresolved) return failed(unresolved, true);
    return ask(context, stream, target, limits_, [&](auto done) {
      stream.async_connect(endpoints, [done](error_code error, const asio::ip::tcp::endpoint&) { done(error); });
    });
  } catch (const boost::system::system_error& error) {   // out of descriptors, no event loop
    return failed(error.code(), true);
  }
}

}  // namespace forensics
