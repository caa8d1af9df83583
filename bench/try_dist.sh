#!/bin/sh
# Install a built package into an empty environment and use it as a newcomer would: sh bench/try_dist.sh FILE
set -eu
package=$(realpath "$1")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/env"
"$place/env/bin/python" -m pip --disable-pip-version-check install --quiet --no-input -c requirements/core.txt "$package"
cd "$place"
env/bin/stagg demo --save sample > /dev/null
env/bin/stagg fuse sample/*.trec -o fused.trec --quiet
env/bin/python -c "import stagg; assert stagg.fuse([['a', 'b'], ['b']]).best_first() == ['b', 'a']"
test "$(wc -l < fused.trec)" -gt 50
echo "$(basename "$package"): installs and works in an empty environment"
