#!/bin/sh
# Installs what is needed, builds, runs all tests. The last line is "N passed, N failed".
# usage: tools/test.sh [--preset PRESET] [ctest arguments...]
set -eu
cd "$(dirname "$0")/.."

preset=release
if [ "${1:-}" = --preset ]; then
  preset=$2
  shift 2
fi
case $preset in
  release) folder=build ;;
  *) folder=build-$preset ;;
esac

tools/setup.sh
echo "test: building into $folder/"
cmake --preset "$preset" -DFORENSICS_BUILD_TESTS=ON >"$folder.log" 2>&1 &&
  cmake --build "$folder" -j"${JOBS:-$(nproc)}" >>"$folder.log" 2>&1 || {
  tail -n 60 "$folder.log" >&2
  echo "test: the build failed; all of it is in $folder.log" >&2
  echo "0 passed, 1 failed"
  exit 1
}
rm -f "$folder.log"

echo "test: running"
ctest --test-dir "$folder" -j"${JOBS:-$(nproc)}" --output-on-failure --timeout 900 --no-tests=error \
  --output-junit "$PWD/$folder/tests.xml" --test-output-size-passed 1000000 --quiet "$@" || true
exec python3 tests/summary.py "$folder/tests.xml"
