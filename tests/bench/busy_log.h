// The lines of a busy container host, of which one in so many matters to some rule. The same bytes every time.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <string>

namespace bench {


struct Random {
  std::minstd_rand engine{20261130};
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine() % n); }
};

inline std::string hex(Random& random, int digits) {
  std::string out;
  for (int i = 0; i < digits; ++i) out += "0123456789abcdef"[random.below(16)];
  return out;
}

inline std::string ordinary(Random& r, double uptime) {
  switch (r.below(10)) {
    case 0: return fmt::format("sshd[{}]: Accepted publickey for deploy from 10.0.{}.{} port {} ssh2: ED25519 SHA256:{}", r.below(30000), r.below(256), r.below(256), r.below(60000), hex(r, 24));
    case 1: return fmt::format("systemd[1]: run-docker-runtime\\x2drunc-moby-{}-runc.{}.mount: Deactivated successfully.", hex(r, 64), hex(r, 6));
    case 2: return fmt::format("kernel: [{:12.6f}] br-{}: port {}(veth{}) entered forwarding state", uptime, hex(r, 12), r.below(20), hex(r, 7));
    case 3: return fmt::format("dockerd[812]: time=\"2026-11-30T12:00:00.{:09}Z\" level=info msg=\"Layer sha256:{} cleaned up\"", r.below(1'000'000'000), hex(r, 64));
    case 4: return fmt::format("CRON[{}]: (root) CMD (   cd / && run-parts --report /etc/cron.hourly)", r.below(30000));
    case 5: return fmt::format("nginx[{}]: 10.1.{}.{} - - \"GET /api/v1/items/{} HTTP/1.1\" 200 {} \"-\" \"Mozilla/5.0 (X11; Linux x86_64)\" {}ms", r.below(3000), r.below(256), r.below(256), r.below(99999), r.below(90000), r.below(900));
    case 6: return fmt::format("containerd[700]: time=\"2026-11-30T12:00:00.{:09}Z\" level=info msg=\"StopPodSandbox for \\\"{}\\\" returns successfully\"", r.below(1'000'000'000), hex(r, 64));
    case 7: return fmt::format("postgres[{}]: [{}-1] LOG:  checkpoint complete: wrote {} buffers ({:.1f}%); 0 WAL file(s) added", r.below(9000), r.below(900), r.below(9000), r.below(100) / 10.0);
    case 8: return fmt::format("NetworkManager[640]: <info>  [{}.{:04}] dhcp4 (eth0): state changed new lease, address=192.168.1.{}", 1764500000 + r.below(90000), r.below(10000), r.below(255));
    default: return fmt::format("app[{}]: request_id={} user={} action=update status=ok duration_ms={} cache=miss shard={}", r.below(30000), hex(r, 32), r.below(100000), r.below(2000), r.below(64));
  }
}

inline std::string telling(Random& r, double uptime) {
  const std::string stamp = fmt::format("kernel: [{:12.6f}] ", uptime);
  switch (r.below(6)) {
    case 0: return stamp + fmt::format("I/O error, dev mmcblk0, sector {} op 0x1:(WRITE) flags 0x800 phys_seg 1 prio class 2", r.below(60'000'000));
    case 1: return stamp + "mmc0: Timeout waiting for hardware interrupt.";
    case 2: return stamp + fmt::format("Memory cgroup out of memory: Killed process {} (worker) total-vm:{}kB, anon-rss:{}kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:2140kB oom_score_adj:0", r.below(30000), r.below(9'000'000), r.below(2'000'000));
    case 3: return stamp + fmt::format("worker[{}]: segfault at 10 ip 000000000040180b sp 00007ffc769ac060 error 6 in worker[401000+7b000]", r.below(30000));
    case 4: return stamp + "hwmon hwmon1: Undervoltage detected!";
    default: return stamp + "EXT4-fs error (device mmcblk0p2): ext4_journal_check_start:83: comm worker: Detected aborted journal";
  }
}

/// Hands out line after line.
class BusyLog {
 public:
  explicit BusyLog(std::uint32_t one_in) : one_in_(one_in) {}

  std::string next() {
    ++line_;
    const std::uint64_t second = line_ / 40;   // 40 lines a second
    const double uptime = static_cast<double>(line_) / 40;
    return fmt::format("Nov {:2} {:02}:{:02}:{:02} node7 ", 1 + second / 86400 % 30, second / 3600 % 24, second / 60 % 60, second % 60) +
           (random_.below(one_in_) == 0 ? telling(random_, uptime) : ordinary(random_, uptime)) + '\n';
  }

 private:
  Random random_;
  std::uint32_t one_in_;
  std::uint64_t line_ = 0;
};

}  // namespace bench
