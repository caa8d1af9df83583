#!/bin/sh
# Every compiled kernel under AddressSanitizer and UBSan: the tests that call them, and the fuzz, in a copy of the sources.
#   sh bench/sanitize.sh [CASES]
set -e
cases=${1:-2000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=$(pwd)/.venv/bin/python
cp -r src/stagg "$folder/stagg"
include=$("$python" -c "import sysconfig; print(sysconfig.get_paths()['include'])")
suffix=$("$python" -c "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))")
cat > "$folder/build" <<END
set -e
name=\${1%.pyx}
"$python" -m cython -3 -I "$folder" "\$1" -o "\$name.c"
cc -O1 -g1 -fsanitize=address,undefined -fno-sanitize=alignment -fno-omit-frame-pointer -fwrapv -shared -fPIC \
    -I"$include" "\$name.c" -o "\$name$suffix" -lm
END
find "$folder/stagg" -name "*$suffix" -delete
find "$folder/stagg" -name '_*.pyx' | xargs -n 1 -P 2 sh "$folder/build"  # all of them: none can be forgotten
export LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)"
export ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc PYTHONPATH="$folder:." OPENBLAS_NUM_THREADS=1
"$python" -c "import stagg, stagg.kernels.compiled as c; assert c.built() == c.TWINS, c.built(); print('testing', stagg.__file__)"
"$python" -m pytest -q -n 2 -p no:cacheprovider tests/formats/test_run_chunks.py tests/formats/test_text_kernel.py \
    tests/kernels/test_records.py tests/formats/test_chunk_store.py tests/formats/test_bucket_lists.py tests/formats/test_in_parts.py \
    tests/formats/test_csv_chunks.py tests/formats/test_parquet_chunks.py tests/aggregate/test_streaming.py tests/aggregate/test_tables_in_parts.py tests/door/test_results.py \
    tests/aggregate/test_requests.py tests/aggregate/test_answers.py tests/data/test_columns.py tests/data/test_many_rows.py tests/kernels/test_consensus_twins.py \
    tests/kernels/test_expected_measures.py tests/kernels/test_twins.py tests/kernels/test_list_pairs.py tests/kernels/test_bootstrap.py \
    --fuzz-cases "$cases" --durations 12
