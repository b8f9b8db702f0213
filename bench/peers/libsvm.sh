# LIBSVM: support vector machines. No task uses it yet: the learner it is measured beside is to come.
#
# install: debian libsvm-tools
#
#   libsvm.sh versions | run SPEC.json
set -eu
case "$1" in
  versions)
    command -v svm-train >/dev/null
    printf '{"libsvm": "%s"}\n' "$(dpkg-query -W -f='${Version}' libsvm-tools 2>/dev/null || echo unknown)" ;;
  *) echo '{"problem": "no task uses it yet"}' ;;
esac
