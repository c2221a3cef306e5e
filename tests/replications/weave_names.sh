#!/usr/bin/env bash
# The compiler takes a file's name from the woven text as it is, and no code from it.
# weave_names.sh LOCKSTEP COMPILER
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
names=($'a"\n#error injected\n.cu' 'a";int injected;\.cu' 'a??' $'\xe2\x80\xae\xff.cu' '*' "\$(touch injected)\`touch injected\`")
for name in "${names[@]}"; do
    input="$folder/$name/.cu" # after a??, a trigraph
    mkdir "$folder/$name"
    printf '%s\n' 'extern "C" int puts(char const*);' 'int main() { return puts(__FILE__) < 0; }' >"$input"
    "$1" weave "$input" -o "$folder/woven.cpp"
    for standard in c++14 c++20; do # trigraphs exist until C++14
        "$2" "-std=$standard" -w -o "$folder/main" "$folder/woven.cpp"
        if [[ "$("$folder/main")" != "$input" ]]; then
            printf 'the name %q became %q\n' "$input" "$("$folder/main")"
            exit 1
        fi
    done
done
