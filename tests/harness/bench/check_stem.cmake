# Usage: cmake -D source=<project root> -D folder=<scratch folder> -P check_stem.cmake
# Accepts a file that contains its stem, and rejects the next one, which does not.

include("${source}/cmake/experiments.cmake")
set(PROJECT_SOURCE_DIR "${folder}")
file(WRITE "${folder}/accepted.cu" "add(\"accepted_with_suffix\");\n")
file(WRITE "${folder}/refused.cu" "add(\"another\");\n")
lockstep_check_stem(toy accepted.cu accepted)
lockstep_check_stem(toy refused.cu refused)
