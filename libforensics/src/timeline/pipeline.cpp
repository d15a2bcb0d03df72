#include "timeline/pipeline.h"

#include <algorithm>

#include "read/unknown.h"
#include "read/utf16.h"
#include "scan/scanner.h"
#include "timeline/dump_collector.h"
#include "timeline/merge.h"

namespace forensics {

namespace {

/// Said by every kernel first of all: time since boot starts again.
constexpr std::string_view boot_marker = "Linux version ";

/// "docker-logs.txt.gz" is a container's log like "docker-logs.txt".
std::string_view without_compression(std::string_view name) {
  for (const std::string_view ending : {".gz", ".xz", ".zst", ".bz2", ".lz4", ".lzma", ".Z"})
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return name;
}

/// A reader together with the bytes that it reads.
class OwningReader final : public Reader {
 public:
  OwningReader(std::unique_ptr<ByteSource> bytes, const FormatDef& format, SourceContext& context)
      : bytes_(std::move(bytes)), reader_(format.open(*bytes_, context)) {}
  bool next(Batch& batch) override { return reader_ && reader_->next(batch); }
  Stamp parse(const Batch& batch, const Record& record, Event& event) const override {
    return reader_->parse(batch, record, event);
  }

 private:
  std::unique_ptr<ByteSource> bytes_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace

struct Pipeline::Impl {
  Impl(const RuleSet& rules, const AnalyzeOptions& opts)
      : options(opts), matcher(rules), scanner(with_marker(matcher.literals())) {}

  static std::vector<std::string> with_marker(std::vector<std::string> literals) {
    literals.emplace_back(boot_marker);   // may double a rule's literal: it has its own number
    return literals;
  }
  std::uint32_t marker() const { return static_cast<std::uint32_t>(matcher.literals().size()); }

  void run(ReadSource& source, Reader& reader);
  void run_batch(ReadSource& source, const Reader& reader, const Batch& batch);
  void find_hits(const Batch& batch);
  /// Handles one record; `literals` hinted at it (all of them with the scan off).
  void look(ReadSource& source, const Reader& reader, const Batch& batch, std::size_t record);
  void clauses(const std::vector<std::uint32_t>& literals, std::uint32_t anchor);
  void sample_clocks(ReadSource& source, const Reader& reader, const Batch& batch);
  Anchor parse(ReadSource& source, const Reader& reader, const Batch& batch, std::size_t record);

  AnalyzeOptions options;
  Matcher matcher;
  LiteralScanner scanner;
  Anchors anchors;
  DumpCollector dumps{matcher, anchors};
  std::deque<ReadSource> sources;
  std::vector<Replay> replays;
  std::vector<Diagnostic> diagnostics;
  std::uint64_t sequence = 0;
  // Of the batch at hand:
  std::vector<Hit> hits;
  std::vector<std::uint32_t> literals, openers;
  std::vector<Placed> placed;
};

Pipeline::Pipeline(const RuleSet& rules, const AnalyzeOptions& options) : impl_(std::make_unique<Impl>(rules, options)) {}
Pipeline::~Pipeline() = default;

void Pipeline::diagnose(Diagnostic diagnostic) { impl_->diagnostics.push_back(std::move(diagnostic)); }

void Pipeline::add(const std::string& name, ByteSource& bytes, std::optional<RealTime> newest, const OpenBytes& again) {
  std::string head = read_head(bytes, sniff_size);
  const auto order = utf16_order(head);
  if (!order) return add_text(name, std::move(head), bytes, newest, again);
  diagnose({name, 0, "utf-16", "UTF-16, read as UTF-8: offsets count the bytes of that", 1});
  HeadSource all(std::move(head), bytes);
  Utf16Source text(all, *order);
  OpenBytes text_again;
  if (again)
    text_again = [again, order]() -> std::unique_ptr<ByteSource> {
      auto opened = again();
      return opened ? std::make_unique<Utf16Source>(std::move(opened), *order) : nullptr;
    };
  add_text(name, read_head(text, sniff_size), text, newest, text_again);
}

void Pipeline::add_text(const std::string& name, std::string head, ByteSource& rest, std::optional<RealTime> newest,
                        const OpenBytes& again) {
  if (head.empty()) {
    const auto& told = impl_->diagnostics;   // why nothing came
    if (told.empty() || told.back().source != name) diagnose({name, 0, "empty-file", "nothing in it", 1});
    return;
  }
  const std::size_t slash = name.find_last_of('/');
  const FormatDef* format = sniff_format(without_compression(std::string_view(name).substr(slash == name.npos ? 0 : slash + 1)), head);
  const Unknown unknown = format == nullptr ? unknown_kind(head)
                          : format == &formats().back() ? unread_json(head, head.size() < sniff_size) : Unknown{};
  if (!unknown.code.empty()) diagnose({name, 0, std::string(unknown.code), std::string(unknown.message), 1});
  if (format == nullptr) return;
  HeadSource all(std::move(head), rest);
  Reopen reopen;
  if (again)
    reopen = [again, format](SourceContext& context) -> std::unique_ptr<Reader> {
      auto opened = again();
      return opened ? std::make_unique<OwningReader>(std::move(opened), *format, context) : nullptr;
    };
  add(name, format->name, format->trust, [&](SourceContext& context) { return format->open(all, context); }, std::move(reopen));
  impl_->sources.back().newest = newest;
}

void Pipeline::add(const std::string& name, std::string_view format, Trust trust,
                   const Reopen& open, Reopen again) {
  ReadSource& source = impl_->sources.emplace_back();
  source.context.index = static_cast<std::uint32_t>(impl_->sources.size() - 1);
  source.context.account.name = name;
  source.context.account.format = format;
  source.context.account.trust = trust;
  source.reopen = std::move(again);
  const auto reader = open(source.context);
  if (reader) impl_->run(source, *reader);
}

void Pipeline::Impl::run(ReadSource& source, Reader& reader) {
  sequence = 0;
  matcher.next_source();
  anchors.next_source();
  Batch batch;
  for (batch.clear(); reader.next(batch); batch.clear()) {
    source.context.account.used += batch.records.size();
    run_batch(source, reader, batch);
  }
  dumps.finish();
  for (const std::string& rule : matcher.take_run_aways())
    source.context.diagnose(0, "rule-switched-off", "rule " + rule + " took too long on 64 records of this source and was not tried on the rest");
}

void Pipeline::Impl::run_batch(ReadSource& source, const Reader& reader, const Batch& batch) {
  placed.clear();
  find_hits(batch);
  const std::size_t n = batch.records.size();
  std::size_t next_stamp = 0;
  const auto walk_stamps = [&](std::uint32_t until) {   // in file order, up to the stamp of the record at hand
    for (; next_stamp <= until && next_stamp < batch.stamps.size(); ++next_stamp)
      placed.push_back(next_stamp == 0 ? Placed{{}, 0, source.stamps.boot} : source.stamps.look(batch.stamps[next_stamp]));
  };
  std::size_t h = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!dumps.open() && options.scan) {
      if (h == hits.size()) break;
      i = hits[h].record;
    }
    literals.clear();
    for (; h < hits.size() && hits[h].record == i; ++h) literals.push_back(hits[h].literal);
    if (std::find(literals.begin(), literals.end(), marker()) != literals.end()) source.stamps.new_boot();
    walk_stamps(batch.records[i].stamp);
    look(source, reader, batch, i);
  }
  walk_stamps(static_cast<std::uint32_t>(batch.stamps.size()));
  sample_clocks(source, reader, batch);
  sequence += n;
}

void Pipeline::Impl::find_hits(const Batch& batch) {
  hits.clear();
  if (options.scan) return scanner.scan(batch, hits);
  for (std::uint32_t r = 0; r < batch.records.size(); ++r)
    for (std::uint32_t l = 0; l < scanner.literals().size(); ++l)
      if (l != marker() || batch.text.substr(batch.records[r].begin, batch.records[r].length).find(boot_marker) != std::string_view::npos)
        hits.push_back({r, l});
}

Anchor Pipeline::Impl::parse(ReadSource& source, const Reader& reader, const Batch& batch, std::size_t i) {
  Anchor anchor;
  const Record& record = batch.records[i];
  anchor.stamp = reader.parse(batch, record, anchor.event);
  anchor.event.where.source = source.context.index;
  const Placed& at = placed[record.stamp];
  anchor.year_shift = at.year_shift;
  anchor.event.boot = record.stamp == 0 ? source.stamps.boot : at.boot;
  anchor.sequence = sequence + i;
  if (anchor.stamp.monotonic && !at.stamp.monotonic) {   // a stamp behind the tag, which next() does not look at
    Stamp inner;
    inner.monotonic = anchor.stamp.monotonic;
    anchor.event.boot = source.stamps.look(inner).boot;
  }
  return anchor;
}

void Pipeline::Impl::look(ReadSource& source, const Reader& reader, const Batch& batch, std::size_t i) {
  Anchor anchor = parse(source, reader, batch, i);
  openers.clear();
  for (std::uint32_t literal : literals)
    if (literal != marker() && anchor.event.message.find(scanner.literals()[literal]) != std::string::npos)
      for (const Target& target : matcher.targets(literal))
        if (target.dump && std::find(openers.begin(), openers.end(), target.rule) == openers.end()) openers.push_back(target.rule);
  if (dumps.open() || !openers.empty()) dumps.feed(anchor, openers);
  if (literals.empty()) return;
  const std::uint32_t kept = anchors.add(std::move(anchor));
  clauses(literals, kept);
  anchors.drop_if_unused(kept);
}

void Pipeline::Impl::clauses(const std::vector<std::uint32_t>& found, std::uint32_t kept) {
  std::vector<Target> targets;
  for (std::uint32_t literal : found)
    if (literal != marker())
      for (const Target& target : matcher.targets(literal))
        if (!target.dump) targets.push_back(target);
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  for (const Target& target : targets) {
    Values captures;
    if (matcher.match(target, anchors.anchors()[kept].event, captures)) anchors.add_hit(target, kept, std::move(captures));
  }
}

/// The first record of each batch is parsed for its second clock (a syslog line with a printk stamp), so that the offset of
/// a boot is known even if no rule fires near it.
void Pipeline::Impl::sample_clocks(ReadSource& source, const Reader& reader, const Batch& batch) {
  constexpr std::size_t most_pairs = 4096, tries = 8;
  if (source.pairs.size() >= most_pairs) return;
  for (std::size_t i = 0; i < std::min(batch.records.size(), tries); ++i) {
    Event event;
    const Record& record = batch.records[i];
    const Stamp stamp = reader.parse(batch, record, event);
    if (!stamp.wall || !stamp.monotonic) continue;
    source.pairs.push_back({stamp, placed[record.stamp].year_shift, source.stamps.boot});
    return;
  }
}

Evidenced Pipeline::finish() {
  Impl& impl = *impl_;
  std::vector<ReadSource> sources(std::make_move_iterator(impl.sources.begin()), std::make_move_iterator(impl.sources.end()));
  std::vector<std::uint32_t> order;
  for (std::uint32_t a = 0; a < impl.anchors.anchors().size(); ++a)
    if (impl.anchors.anchors()[a].references > 0) order.push_back(a);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return impl.anchors.anchors()[a].sequence < impl.anchors.anchors()[b].sequence;
  });
  for (std::uint32_t a : order) sources[impl.anchors.anchors()[a].event.where.source].anchors.push_back(a);
  resolve_clocks(sources, impl.anchors, impl.options, impl.diagnostics);
  Evidenced evidence = merge(sources, impl.anchors, impl.matcher, std::move(impl.diagnostics));
  impl.sources.clear();
  for (ReadSource& s : sources) impl.replays.push_back({std::move(s.clock), std::move(s.reopen), s.stamps.last_wall.has_value(), s.stamps.boot});
  return evidence;
}

std::vector<Replay> Pipeline::take_replays() { return std::move(impl_->replays); }

}  // namespace forensics
