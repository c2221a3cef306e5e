// Preloaded by tests: a write to a regular file beyond FAILING_WRITES_BYTES fails with error FAILING_WRITES_ERRNO, as
// on a full disk, beyond a quota or on a broken disk.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int fails(int const descriptor, size_t const count) {
    static long long written = 0;
    char const* const limit = getenv("FAILING_WRITES_BYTES");
    struct stat state;
    if (limit == NULL || fstat(descriptor, &state) != 0 || !S_ISREG(state.st_mode))
        return 0;
    // Several threads write parts of one file.
    if (__atomic_add_fetch(&written, (long long)count, __ATOMIC_RELAXED) <= atoll(limit))
        return 0;
    __atomic_sub_fetch(&written, (long long)count, __ATOMIC_RELAXED);
    errno = atoi(getenv("FAILING_WRITES_ERRNO"));
    return 1;
}

ssize_t write(int const descriptor, void const* const bytes, size_t const count) {
    ssize_t (*const next)(int, void const*, size_t) = (ssize_t(*)(int, void const*, size_t))dlsym(RTLD_NEXT, "write");
    return fails(descriptor, count) ? -1 : next(descriptor, bytes, count);
}

ssize_t pwrite(int const descriptor, void const* const bytes, size_t const count, off_t const offset) {
    ssize_t (*const next)(int, void const*, size_t, off_t) =
        (ssize_t(*)(int, void const*, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
    return fails(descriptor, count) ? -1 : next(descriptor, bytes, count, offset);
}

size_t fwrite(void const* const bytes, size_t const size, size_t const count, FILE* const file) {
    size_t (*const next)(void const*, size_t, size_t, FILE*) =
        (size_t(*)(void const*, size_t, size_t, FILE*))dlsym(RTLD_NEXT, "fwrite");
    return fails(fileno(file), size * count) ? 0 : next(bytes, size, count, file);
}
