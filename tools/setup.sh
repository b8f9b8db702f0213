# Shared by ./quickstart and ./test: installs what is missing and says so; changes nothing that is
# already there, and then needs no network. Source it from the root of the repository.

# The same objects in any folder: copies of the tree share one compiler cache.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1

say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }

# Packages of the lists given (tools/packages/NAME.txt), those that are not installed yet.
missing_packages() {
  local list package
  for list in "$@"; do
    while read -r package _; do
      case "$package" in ''|'#'*) continue ;; esac
      dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
        echo "$package"
    done <"tools/packages/$list.txt"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "error: installing packages needs root or sudo. Please run as root: $*" >&2
    exit 77
  fi
}

install_packages() {
  if ! command -v apt-get >/dev/null; then
    echo "note: this is not a Debian system; please install what tools/packages/*.txt lists" >&2
    return
  fi
  local packages
  packages=$(missing_packages "$@")
  if [ -z "$packages" ]; then
    echo "system packages: all there"
    return
  fi
  echo "installing:" $packages
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update
  # shellcheck disable=SC2086  # a list of words is meant
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $packages \
    >build/apt.log 2>&1 || { tail -n 20 build/apt.log >&2; exit 69; }
}

# A virtual environment in .venv with the requirement lists given (tools/packages/NAME.requirements).
# Each list is installed once; a change of the list installs it again.
python_environment() {
  if [ ! -x .venv/bin/python ]; then
    echo "creating the Python environment .venv"
    "${PYTHON:-python3}" -m venv .venv
  fi
  local list stamp
  for list in "$@"; do
    stamp=".venv/.installed-$list"
    if ! cmp -s "tools/packages/$list.requirements" "$stamp"; then
      echo "installing into .venv:" $(grep -vE '^(#|$)' "tools/packages/$list.requirements")
      .venv/bin/python -m pip install --quiet --disable-pip-version-check \
        -r "tools/packages/$list.requirements"
      cp "tools/packages/$list.requirements" "$stamp"
    fi
  done
}

# The Python package, linked against the library that is already built in build/release.
install_python_package() {
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation \
    --no-deps --force-reinstall \
    -C build-dir=build/python -C cmake.define.gradus_DIR="$PWD/build/release" .
}

jobs_here() { nproc 2>/dev/null || echo 2; }
