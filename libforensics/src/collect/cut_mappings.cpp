#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "forensics/host.h"

namespace forensics {

namespace {

/// Puts a page of zeros where the file ended. Only calls that are allowed in a signal handler.
void replace_page(int, siginfo_t* info, void*) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr) & ~(page - 1);
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  if (info->si_code != BUS_ADRERR || at == 0 ||
      ::mmap(reinterpret_cast<void*>(at), page, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) {
    ::signal(SIGBUS, SIG_DFL);
    ::raise(SIGBUS);
  }
}

}  // namespace

void survive_cut_mappings() {
  struct ::sigaction action {};
  action.sa_sigaction = replace_page;
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace forensics
