#include "harness/jit/text_digest.hpp"

namespace lockstep::jit {

unsigned long long text_digest(std::string const& text) {
    unsigned long long digest = 0xcbf29ce484222325ull;
    for (char const c : text)
        digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    return digest;
}

}  // namespace lockstep::jit
