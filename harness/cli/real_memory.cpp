// The access checks replace memcpy, memmove and memset in the program that they check (the linker's --wrap). Here that
// is the foreign program, which is linked alone; what the checks call in their place is the C library's.

#include <cstring>

extern "C" {
void* __real_memcpy(void* to, void const* from, std::size_t bytes);
void* __real_memmove(void* to, void const* from, std::size_t bytes);
void* __real_memset(void* to, int value, std::size_t bytes);

void* __real_memcpy(void* to, void const* from, std::size_t bytes) { return std::memcpy(to, from, bytes); }
void* __real_memmove(void* to, void const* from, std::size_t bytes) { return std::memmove(to, from, bytes); }
void* __real_memset(void* to, int value, std::size_t bytes) { return std::memset(to, value, bytes); }
}
