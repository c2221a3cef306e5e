#!/usr/bin/env bash
# texts.sh SOURCE BUILD GENERATOR PROGRAM: the texts that the build generates and embeds, and the program, contain neither
# a path of this machine's trees nor the time of the build.
set -euo pipefail

source=$1 build=$2 generator=$3 program=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# The generator writes the same texts for the same systems in other folders, a second later.
systems=experiments/term_rewriting/systems
mkdir -p "$folder/a" "$folder/elsewhere/b"
cp "$source/$systems/"{tree_merge_sort,transformation_tree}.trs "$folder/elsewhere"
write() {
    "$generator" "$1" "sort=$2/tree_merge_sort.trs" "tree=$2/transformation_tree.trs"
    "$generator" --kernels without "$1" "sort=$2/tree_merge_sort.trs" "tree=$2/transformation_tree.trs"
    "$generator" --cuda "$2/tree_merge_sort.trs" "$1/steps.hpp" steps
}
write "$folder/a" "$source/$systems"
sleep 1
(cd "$folder/elsewhere" && write b .)
diff -r "$folder/a" "$folder/elsewhere/b" || failed=1

# Embedded headers and systems.
embedded=0
while IFS= read -r -d '' text; do
    grep -q EmbeddedText "$text" || continue
    embedded=$((embedded + 1))
    if grep -Fn -e "$source" -e "$build" "$text"; then
        echo "$text contains a path of this machine"
        failed=1
    fi
done < <(find "$build/harness" "$build/experiments" -name '*.cpp' -not -path '*/CMakeFiles/*' -print0)
if ((embedded < 4)); then
    echo "only $embedded embedded texts found in $build"
    failed=1
fi

# Sources that are compiled from the build tree are not in the program by their paths, either.
if grep -aFo -e "$source/" "$program" | sort | uniq -c | grep .; then
    echo "$program contains a path of this machine"
    failed=1
fi
exit "$failed"
