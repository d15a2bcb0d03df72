#!/bin/sh
# Installs the Debian packages that building and testing need. May be run again: it does nothing when all are there.
set -eu

packages="g++ cmake ninja-build pkg-config python3
  libboost-dev libboost-regex-dev libboost-program-options-dev
  libvectorscan-dev libre2-dev libsimdjson-dev nlohmann-json3-dev libtomlplusplus-dev libsqlite3-dev libsystemd-dev libarchive-dev
  libhowardhinnant-date-dev libfmt-dev doctest-dev tzdata"

case "$(dpkg --print-architecture 2>/dev/null || echo none)" in
  none)
    echo "setup: this is not Debian: install these yourself:" $packages >&2
    exit 1 ;;
  amd64 | arm64) ;;
  # Vectorscan is for 64-bit machines; RE2 takes its place elsewhere.
  *) packages=$(echo "$packages" | sed 's/libvectorscan-dev//') ;;
esac

missing=""
for package in $packages "$@"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
  echo "setup: all packages are there"
  exit 0
fi

as_root=""
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: needs root to install:$missing" >&2
    exit 1
  fi
  as_root="sudo"
fi
echo "setup: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
echo "setup: done"
