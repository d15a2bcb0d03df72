// A bare exit status: what it means and what it does not prove.
#include <array>
#include <fmt/format.h>

#include "judge/judge.h"
#include "judge/words.h"

namespace forensics {

namespace {

constexpr std::string_view inspect_command =
    "docker inspect --format '{{json .State}}' NAME   (ExitCode, OOMKilled, Error, FinishedAt)";

struct Known {
  int status;
  std::string_view name, meaning, not_proof, second_command;
};

constexpr std::string_view kill_search =
    "journalctl -k | grep -iE 'killed process|oom-kill'   (or: dmesg -T | grep -iE 'killed process|oom-kill')";
constexpr std::string_view fault_search =
    "journalctl -k | grep -iE 'segfault|trap|general protection'   (or: dmesg -T | grep -iE 'segfault|trap')";
constexpr std::string_view events_search = "docker events --since 24h --until 0s --filter container=NAME";
constexpr std::string_view log_search = "docker logs --timestamps --tail 50 NAME";
constexpr std::string_view audit_search = "journalctl _TRANSPORT=audit _TRANSPORT=kernel | grep -i seccomp";

constexpr std::array<Known, 15> known = {{
    {0, "success", "The program ended by itself and reported success.",
     "It does not prove that nothing went wrong: a stopped service, a script whose last command worked, and a main "
     "process "
     "whose child was killed for memory all end with 0.",
     events_search},
    {1, "general error", "The program ended by itself and reported an error; only its own log says which.",
     "It does not prove a bug in the program: \"exec format error\" (an image for another CPU) and a shell whose child "
     "was "
     "killed also end with 1.",
     log_search},
    {2, "usage error",
     "The program ended by itself; by custom 2 means wrong arguments (a shell: misuse or a syntax error).",
     "The custom is not a law: programs give 2 any meaning they like.", log_search},
    {125, "the engine failed",
     "docker run itself failed before the program was started: a bad option, image, mount or name.",
     "A program inside may also return 125.", "journalctl -u docker | grep -iE 'error|failed'"},
    {126, "not executable", "The command was found but could not be executed: no execute permission, or a directory.",
     "A shell inside the container returns the same for a command that it could not execute.", log_search},
    {127, "command not found",
     "The command does not exist in the image (or its script interpreter or loader does not).",
     "A shell inside the container returns the same for a command that it did not find.", log_search},
    {128, "set by the engine",
     "Usually written by the engine for a start that failed or was cancelled (State.Error says why); "
     "also a program that called exit with an invalid value.",
     "It is not \"128 + signal 0\": no signal was involved.", log_search},
    {130, "SIGINT",
     "Ended after SIGINT: an interrupt from the keyboard (Ctrl-C), or a stop signal that the image chose.",
     "It does not tell who sent it.", events_search},
    {137, "SIGKILL",
     "Killed by SIGKILL (128 + 9), which no program can catch. Common senders: docker stop after its grace period, "
     "docker kill, the kernel's OOM killer, systemd, an orchestrator after failed probes, somebody's kill -9.",
     "It does not prove that memory ran out, and OOMKilled=false does not prove that it did not: a kill for memory on "
     "the whole host, or of a process that is not the container's first, may leave the flag false.",
     kill_search},
    {139, "SIGSEGV", "Ended by SIGSEGV (128 + 11): an invalid memory access.",
     "It does not prove a bug of the program: bad RAM, a corrupt library on a failing card, and abort() as process 1 "
     "look alike.",
     fault_search},
    {143, "SIGTERM",
     "Ended after SIGTERM (128 + 15): a polite request to stop, by docker stop, compose, systemd or an orchestrator.",
     "It does not tell who asked, nor why.", events_search},
    {134, "SIGABRT",
     "The program aborted itself (128 + 6): a failed assertion, an uncaught C++ exception, a runtime out of heap.",
     "It does not say which; its own log does.", log_search},
    {159, "SIGSYS", "Killed by SIGSYS (128 + 31): a system call that its seccomp profile forbids.",
     "It does not tell which system call; the audit line of the kernel does.", audit_search},
    {132, "SIGILL", "Ended by SIGILL (128 + 4): an instruction that this CPU does not have, or corrupt code.",
     "It does not prove an image for the wrong CPU: that is usually \"exec format error\" instead.", fault_search},
    {255, "out of range, or lost",
     "The program returned -1 (or ssh, or the runtime, failed), or the engine lost track of the "
     "container because the machine or the engine went down while it ran.",
     "FinishedAt is then when the engine came back, not when the container died.",
     "journalctl --list-boots; journalctl -b -1 -e"},
}};

ExitStatus of_signal(int status) {
  ExitStatus out;
  out.status = status;
  out.name = signal_name(status - 128);
  if (out.name.empty()) {
    out.meaning = fmt::format("The program's own exit status: {} is no signal.", status);
    out.not_proof = "Statuses above 128 are not always signals.";
    out.commands = {std::string(inspect_command), std::string(log_search)};
    return out;
  }
  out.meaning = fmt::format("Ended by signal {} ({}): 128 + {}.", status - 128, out.name, status - 128);
  out.not_proof = "It does not tell who sent it; a program may also return this number by itself.";
  const bool fault = status == 132 || status == 133 || status == 135 || status == 136;
  out.commands = {std::string(inspect_command), std::string(fault ? fault_search : events_search)};
  return out;
}

}  // namespace

ExitStatus explain_exit_status(int status) {
  for (const auto& k : known)
    if (k.status == status)
      return {status,
              std::string(k.name),
              std::string(k.meaning),
              std::string(k.not_proof),
              {std::string(inspect_command), std::string(k.second_command)}};
  if (status > 128 && status < 256) return of_signal(status);
  return {status,
          "",
          fmt::format(
              "The program ended by itself with its own error status {}; only its log or manual says what that means.",
              status),
          "It does not prove who is to blame: programs choose these numbers freely.",
          {std::string(inspect_command), std::string(log_search)}};
}

}  // namespace forensics
