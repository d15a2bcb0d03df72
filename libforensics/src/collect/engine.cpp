#include "collect/engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "collect/containers.h"
#include "forensics/error.h"

namespace forensics {

namespace {

constexpr std::size_t most_containers = 256;

std::string seconds(RealTime time) {
  const auto us = time.time_since_epoch().count();
  return fmt::format("{}.{:06}", us / 1'000'000, us % 1'000'000);
}

std::string events_path(const std::string& container, RealTime since, RealTime until) {
  const std::string filters = container.empty() ? R"({"type":["container"]})"
                                                : fmt::format(R"({{"type":["container"],"container":["{}"]}})", container);
  return fmt::format("/events?since={}&until={}&filters={}", seconds(since), seconds(until), url_encoded(filters));
}

bool is_engine(const EngineAnswer& answer) {
  return answer.good() && answer.body.starts_with('{') && answer.body.find("\"ServerVersion\"") != std::string::npos;
}

std::string hint_for(EngineTrouble trouble) {
  switch (trouble) {
    case EngineTrouble::absent: return "start the engine, or say where it listens: --docker-host unix:///PATH (or DOCKER_HOST)";
    case EngineTrouble::denied: return "run it as root, or join the group that may: sudo usermod -aG docker $USER (then log in again)";
    case EngineTrouble::timed_out: return "see whether the engine hangs: systemctl status docker";
    case EngineTrouble::unsupported: return "give it the output of docker inspect and docker events with --in";
    default: return "say where the engine listens: --docker-host unix:///PATH (or DOCKER_HOST)";
  }
}

void add(Pipeline& pipeline, const std::string& name, const std::string& text) {
  if (text.empty()) return;
  MemorySource source(text);
  pipeline.add(name, source);
}

void diagnose(Pipeline& pipeline, const std::string& name, const EngineAnswer& answer) {
  if (answer.good()) return;
  const bool partly = answer.trouble == EngineTrouble::cut || answer.trouble == EngineTrouble::too_large;
  const std::string why = answer.why.empty() ? fmt::format("the engine answered HTTP {}: {}", answer.status, answer.body.substr(0, 200)) : answer.why;
  pipeline.diagnose({name, 0, partly ? "truncated-source" : "closed-source", show(why), 1});
}

/// The container's own log: whatever its lines look like, they are this container's claim.
class OwnLog final : public Reader {
 public:
  OwnLog(std::unique_ptr<Reader> inner, std::string id, std::string name) : inner_(std::move(inner)), id_(std::move(id)), name_(std::move(name)) {}
  bool next(Batch& batch) override { return inner_->next(batch); }
  Stamp parse(const Batch& batch, const Record& record, Event& event) const override {
    Stamp stamp = inner_->parse(batch, record, event);
    event.trust = Trust::claimed;
    event.container_id = id_;
    event.container_name = name_;
    return stamp;
  }

 private:
  std::unique_ptr<Reader> inner_;
  std::string id_, name_;
};

void add_log(Pipeline& pipeline, const FoundContainer& container) {
  const std::string name = "docker-logs " + container.name;
  const EngineAnswer answer =
      container.engine.get(fmt::format("/containers/{}/logs?stdout=1&stderr=1&timestamps=1&tail=200", url_encoded(container.id)));
  diagnose(pipeline, name, answer);
  if (answer.status != 200) return;
  const std::string text = container.terminal ? answer.body : without_frames(answer.body);
  const FormatDef* format = sniff_format(name, std::string_view(text).substr(0, sniff_size));
  if (text.empty() || format == nullptr) return;
  MemorySource source(text);
  pipeline.add(name, format->name, Trust::claimed, [&](SourceContext& context) {
    return std::make_unique<OwnLog>(format->open(source, context), container.id, container.name);
  });
}

[[noreturn]] void ambiguous(const std::string& asked, const std::vector<ListedContainer>& several) {
  std::string list;
  for (const ListedContainer& c : several) list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", show(c.name()), c.id.substr(0, 12));
  throw Error(ErrorCode::usage, show(asked), fmt::format("{} containers fit: {}", several.size(), list),
              "give the exact name, or more digits of the id");
}

[[noreturn]] void no_such(const std::string& asked, const std::vector<ListedContainer>& all) {
  std::string list;
  for (const std::string& name : nearest_names(asked, all, 5)) list += (list.empty() ? "" : ", ") + show(name);
  throw Error(ErrorCode::usage, show(asked),
              list.empty() ? "no such container; the engine has none at all" : "no such container; the nearest names are: " + list,
              "docker ps -a lists them all; for logs in files use --in");
}

/// The container may be gone (docker run --rm): the engine remembers its events for a while.
std::optional<FoundContainer> removed(const EngineClient& engine, const std::string& asked, RealTime until) {
  const bool plain = std::all_of(asked.begin(), asked.end(), [](char c) { return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20; });
  if (!plain || asked.empty()) return {};
  const EngineAnswer answer = engine.get(events_path(asked, until - std::chrono::hours(24 * 7), until));
  if (answer.status != 200) return {};
  std::string id = id_in_events(answer.body);
  if (id.empty()) return {};
  return FoundContainer{engine, asked, std::move(id), {}, {}, false};
}

FoundContainer inspected(const EngineClient& engine, const ListedContainer& listed) {
  FoundContainer found{engine, listed.name(), listed.id, {}, {}, false};
  EngineAnswer answer = engine.get(fmt::format("/containers/{}/json", url_encoded(listed.id)));
  if (const auto run = last_run(answer.body); answer.status == 200 && run) {
    found.since = run->since;
    found.terminal = run->terminal;
    found.inspect = std::move(answer.body);
  }
  return found;
}

}  // namespace

EngineSearch find_engines(const std::string& asked, const EngineLimits& limits) {
  EngineSearch search;
  std::vector<ClosedEngine> absent;
  for (const std::string& endpoint : engine_endpoints(asked)) {
    EngineClient client(endpoint, limits);
    EngineAnswer answer = client.get("/info");
    if (is_engine(answer)) {
      search.open.push_back(std::move(client));
      continue;
    }
    if (answer.trouble == EngineTrouble::none) {
      answer.trouble = EngineTrouble::not_http;
      answer.why = fmt::format("what answers there is no container engine (HTTP {} to /info)", answer.status);
    }
    const bool is_absent = answer.trouble == EngineTrouble::absent || answer.trouble == EngineTrouble::unsupported;
    (is_absent ? absent : search.closed).push_back({endpoint, answer.why, hint_for(answer.trouble)});
  }
  if (search.open.empty() && search.closed.empty() && !absent.empty()) search.closed.push_back(absent.front());
  return search;
}

void FoundContainer::add_to(Pipeline& pipeline, RealTime since, RealTime until) const {
  add(pipeline, "docker inspect " + name, inspect);
  const EngineAnswer events = engine.get(events_path(id, since, until));
  diagnose(pipeline, "docker events", events);
  if (events.status == 200) add(pipeline, "docker events", events.body);
  if (!inspect.empty()) add_log(pipeline, *this);
}

std::optional<FoundContainer> find_container(const std::vector<EngineClient>& engines, const std::string& asked, RealTime until) {
  std::vector<ListedContainer> all;
  bool any = false;
  for (const EngineClient& engine : engines) {
    const EngineAnswer answer = engine.get("/containers/json?all=1");
    const auto list = answer.good() ? listed_containers(answer.body) : std::nullopt;
    if (!list) continue;
    any = true;
    const auto called = containers_called(asked, *list);
    if (called.size() > 1) ambiguous(asked, called);
    if (called.size() == 1) return inspected(engine, called.front());
    all.insert(all.end(), list->begin(), list->end());
  }
  if (!any) return {};
  for (const EngineClient& engine : engines)
    if (auto gone = removed(engine, asked, until)) return gone;
  no_such(asked, all);
}

void add_all_containers(const std::vector<EngineClient>& engines, RealTime since, Pipeline& pipeline) {
  for (const EngineClient& engine : engines) {
    const EngineAnswer answer = engine.get("/containers/json?all=1");
    diagnose(pipeline, engine.endpoint(), answer);
    const auto list = listed_containers(answer.body);
    if (!list) continue;
    for (std::size_t i = 0; i < std::min(list->size(), most_containers); ++i) {
      const FoundContainer found = inspected(engine, (*list)[i]);
      add(pipeline, "docker inspect " + found.name, found.inspect);
    }
    const auto until = std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
    const EngineAnswer events = engine.get(events_path({}, since, until));
    diagnose(pipeline, "docker events", events);
    if (events.status == 200) add(pipeline, "docker events", events.body);
  }
}

}  // namespace forensics
