#!/bin/sh
# From a checkout to a first answer: installs what is needed, builds, and explains a death that was recorded for real.
# usage: tools/try.sh [BUNDLE]
set -eu
cd "$(dirname "$0")/.."

tools/setup.sh
echo "try: building into build/ (a few minutes the first time)"
cmake --preset release -DFORENSICS_BUILD_TESTS=OFF >build.log 2>&1 && cmake --build build -j"${JOBS:-$(nproc)}" >>build.log 2>&1 || {
  tail -n 40 build.log >&2
  echo "try: the build failed; all of it is in build.log" >&2
  exit 1
}
rm -f build.log

bundle=${1:-fixtures/oom-container-limit/input}
echo "try: build/tools/why-died --in $bundle"
echo
# A verdict of "unknown" is an answer too; only trouble is a failure.
build/tools/why-died --in "$bundle" || [ $? -eq 1 ]
