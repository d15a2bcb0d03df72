#!/bin/sh
# Installs the build to a temporary prefix, builds the consumer against it, runs it.
# usage: check.sh BUILD_FOLDER GENERATOR
set -eu
build=$1 generator=$2
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log"
for file in bin/why-died share/man/man1/why-died.1 share/bash-completion/completions/why-died \
  share/zsh/site-functions/_why-died share/forensics/rules/README.md include/forensics/report.h; do
  [ -e "$scratch/prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done
grep -rlE "$build|$(dirname "$(dirname "$here")")" "$scratch/prefix/include" "$scratch/prefix"/lib*/cmake "$scratch/prefix"/lib/*/cmake 2>/dev/null &&
  { echo "names the folder that it was built in"; exit 1; }

cmake -S "$here" -B "$scratch/consumer" -G "$generator" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_FLAGS="${CONSUMER_CXX_FLAGS:-}" >"$scratch/consumer.log"
cmake --build "$scratch/consumer" >>"$scratch/consumer.log" || { cat "$scratch/consumer.log"; exit 1; }
bundle=$scratch/dmesg.txt
cat >"$bundle" <<'EOF'
[  512.100001] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/docker/4f1d,task_memcg=/docker/4f1d,task=node,pid=4121,uid=0
[  512.100044] Memory cgroup out of memory: Killed process 4121 (node) total-vm:1190112kB, anon-rss:523112kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:1200kB oom_score_adj:0
EOF
"$scratch/consumer/consumer" "$bundle" >"$scratch/report.txt"
# Built-in rules, no file of the project needed: the library alone names the cause.
grep -q "oom-kill" "$scratch/report.txt" || { cat "$scratch/report.txt"; echo "no verdict"; exit 1; }
echo "the consumer builds, links and explains an OOM kill"
