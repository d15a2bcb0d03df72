// One static program that dies in the way it is told to: the only file of the live test's image.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

/// Touches memory until somebody minds.
[[noreturn]] void eat() {
  constexpr std::size_t piece = 1 << 20;
  for (int i = 0; i < 1024; ++i) {
    void* memory = ::mmap(nullptr, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::exit(12);
    std::memset(memory, 'x', piece);
  }
  std::exit(0);
}

int eat_in_child() {
  const pid_t child = ::fork();
  if (child == 0) eat();
  int status = 0;
  ::waitpid(child, &status, 0);
  std::printf("main: the child ended with signal %d\n", WTERMSIG(status));
  ::sleep(1);
  return 0;
}

int fork_many() {
  for (int i = 0; i < 64; ++i) {
    const pid_t child = ::fork();
    if (child < 0) {
      std::fprintf(stderr, "fork: %s\n", std::strerror(errno));
      return 11;
    }
    if (child == 0)
      for (;;) ::pause();
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (how == "exit") return argc > 2 ? std::atoi(argv[2]) : 0;
  if (how == "eat") eat();
  if (how == "eat-in-child") return eat_in_child();
  if (how == "fork-many") return fork_many();
  if (how == "segfault") *reinterpret_cast<volatile int*>(0x10) = 1;
  if (how == "abort") std::abort();
  if (how == "wait") {   // PID 1 of a container has no default action for SIGTERM
    std::puts("ready");
    for (;;) ::pause();
  }
  return 2;
}
