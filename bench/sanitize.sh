#!/bin/sh
# The compiled reader, writer and what counts by pointers under AddressSanitizer: every test of theirs, and the fuzz, in a copy of the sources.
#   sh bench/sanitize.sh [CASES]
set -e
cases=${1:-5000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=$(pwd)/.venv/bin/python
cp -r src/stagg "$folder/stagg"
include=$("$python" -c "import sysconfig; print(sysconfig.get_paths()['include'])")
suffix=$("$python" -c "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))")
for path in "$folder"/stagg/kernels/_*.pyx; do  # all of them: none can be forgotten
    name=$(basename "$path" .pyx)
    "$python" -m cython -3 -I "$folder" "$path" -o "$folder/$name.c"
    cc -O1 -g -fsanitize=address,undefined -fno-sanitize=alignment -fno-omit-frame-pointer -fwrapv -shared -fPIC \
        -I"$include" "$folder/$name.c" -o "$folder/stagg/kernels/$name$suffix" -lm
done
export LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)"
export ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc PYTHONPATH="$folder:." OPENBLAS_NUM_THREADS=1
"$python" -c "import stagg; print('testing', stagg.__file__)"
"$python" -m pytest -q -p no:cacheprovider tests/formats/test_runs.py tests/formats/test_text_kernel.py \
    tests/aggregate/test_streaming.py tests/aggregate/test_tables_in_parts.py tests/door/test_results.py \
    tests/aggregate/test_requests.py tests/data/test_columns.py tests/kernels/test_consensus_twins.py \
    tests/kernels/test_expected_measures.py tests/kernels/test_twins.py tests/kernels/test_list_pairs.py tests/kernels/test_bootstrap.py \
    --fuzz-cases "$cases"
