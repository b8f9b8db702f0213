# LIBLINEAR: linear classifiers on sparse rows. No task uses it yet: the learner it is measured
# beside is to come.
#
# install: debian liblinear-tools
#
#   liblinear.sh versions | run SPEC.json
set -eu
case "$1" in
  versions)
    command -v liblinear-train >/dev/null
    printf '{"liblinear": "%s"}\n' "$(dpkg-query -W -f='${Version}' liblinear-tools 2>/dev/null || echo unknown)" ;;
  *) echo '{"problem": "no task uses it yet"}' ;;
esac
