# GoogleTest: the tests. Defines GTest::gtest.

include(FetchContent)
set(INSTALL_GTEST OFF)
FetchContent_Declare(GTest SYSTEM  # in any other position, CMake 3.25 appends it to the hash
    URL https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
    URL_HASH SHA256=8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7
    DOWNLOAD_EXTRACT_TIMESTAMP ON
    FIND_PACKAGE_ARGS 1.12 CONFIG
)
FetchContent_MakeAvailable(GTest)
if(NOT GTest_FOUND)
    list(APPEND lockstep_fetched GTest)
endif()
