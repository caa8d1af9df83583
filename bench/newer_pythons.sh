#!/bin/sh
# The quick tests on a Python that only a later Debian has, and the smoke suite on the next one, which lacks wheels of some
# extras; in a folder that holds such a Debian. Needs root, debootstrap and git.
#   sh bench/newer_pythons.sh WHEEL TEST...
set -e
wheel=$1
shift
debian=$(pwd)/.venv-debian
if ! [ -e "$debian/complete" ]; then
    rm -rf "$debian"
    debootstrap --variant=minbase --include=python3.14,python3.15 forky "$debian" "" /usr/share/debootstrap/scripts/sid > /dev/null
    touch "$debian/complete"
fi
install() { # VERSION, what: what pip finds for that Python, whatever runs pip
    .venv/bin/python -m pip --disable-pip-version-check install --quiet --no-input --only-binary :all: --no-deps --upgrade \
        --ignore-requires-python --python-version "$1" --target "$debian/packages-$1" $2
}
for version in 3.14 3.15; do
    rm -rf "$debian/packages-$version"
    packages=$([ $version = 3.14 ] && echo . || echo '^(click|markdown-it-py|mdurl|numpy|pygments|rich|scipy)==')
    awk -v packages="$packages" '/^[a-z]/ { wanted = $0 ~ packages } wanted' requirements/hashed/newest.txt > "$debian/pins.txt"
    install $version "--require-hashes -r $debian/pins.txt"
    install $version "$wheel"
    cp bench/smoke.py "$debian/smoke.py"
    chroot "$debian" env PYTHONPATH=/packages-$version python$version -V
    chroot "$debian" env PYTHONPATH=/packages-$version python$version /smoke.py --compiled
done
rm -rf "$debian/stagg"
mkdir "$debian/stagg"
git archive HEAD | tar -x -C "$debian/stagg"
chroot "$debian" env PYTHONPATH=/packages-3.14 sh -c 'cd /stagg && exec python3.14 -m pytest -q -p no:cacheprovider "$@"' sh "$@"
