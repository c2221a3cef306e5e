#include "harness/simt/hooks/symbols.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "harness/simt/hooks/binutils.hpp"

namespace lockstep::simt::hooks {
namespace {

// "file:line", with " (discriminator 3)" behind it at times.
Place parse_place(std::string function, std::string_view text) {
    Place place{std::move(function), {}, 0};
    std::size_t const colon = text.rfind(':');
    if (colon != std::string_view::npos && !text.starts_with("??")) {
        place.file = text.substr(0, colon);
        if (place.file.starts_with("./")) {
            place.file.erase(0, 2);
        }
        std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.line);
    }
    return place;
}

std::string_view next_line(std::string_view& text) {
    std::size_t const end = text.find('\n');
    std::string_view const line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

// Per address a line "0x...", then two lines per frame, from the innermost one outwards.
std::vector<Place> parse(std::string_view text) {
    std::vector<Place> places;
    bool decided = false;
    while (!text.empty()) {
        std::string const line(next_line(text));
        if (line.starts_with("0x")) {
            places.emplace_back();
            decided = false;
            continue;
        }
        Place const place = parse_place(line, next_line(text));
        if (places.empty() || decided) {
            continue;
        }
        bool const inside = is_header_of_emulator(place.file);
        if (places.back().line == 0 || !inside) {
            places.back() = place;
        }
        decided = !inside && place.line != 0;
    }
    return places;
}

std::vector<Place> places_in(std::string const& path, std::vector<std::string> const& addresses) {
    for (char const* tool : {"addr2line", "llvm-addr2line", "llvm-addr2line-14"}) {
        std::vector<std::string> command = {tool, "-a", "-f", "-i", "-C", "-e", path};
        command.insert(command.end(), addresses.begin(), addresses.end());
        std::vector<Place> places = parse(output_of(command));
        if (places.size() == addresses.size()) {
            return places;
        }
    }
    return std::vector<Place>(addresses.size());
}

std::vector<Place> look_up(std::vector<std::uintptr_t> const& return_addresses) {
    struct Group {
        std::vector<std::string> addresses;
        std::vector<std::size_t> positions;
    };
    std::map<std::string, Group> modules;
    std::vector<Place> places(return_addresses.size());
    for (std::size_t i = 0; i < return_addresses.size(); ++i) {
        if (auto const module = module_of(return_addresses[i] - 1)) {
            modules[module->path].addresses.push_back(hexadecimal(return_addresses[i] - 1 - module->bias));
            modules[module->path].positions.push_back(i);
        }
    }
    constexpr std::size_t max_addresses = 1000;  // of a command line
    for (auto const& [path, group] : modules) {
        for (std::size_t first = 0; first < group.addresses.size(); first += max_addresses) {
            std::size_t const last = std::min(first + max_addresses, group.addresses.size());
            auto const begin = group.addresses.begin();
            std::vector<Place> const found = places_in(
                path, {begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last)});
            for (std::size_t i = first; i < last; ++i) {
                places[group.positions[i]] = found[i - first];
            }
        }
    }
    return places;
}

// A program may have several threads. A place that is known does not change any more.
struct KnownPlaces {
    std::mutex mutex;
    std::map<std::uintptr_t, Place> places;
};

KnownPlaces& known_places() {
    static auto& known = *new KnownPlaces;
    return known;
}

// Precondition: the mutex is locked.
void add_places(KnownPlaces& known, std::vector<std::uintptr_t> const& return_addresses) {
    std::vector<std::uintptr_t> unknown;
    for (std::uintptr_t const address : return_addresses) {
        if (address != 0 && known.places.try_emplace(address).second) {
            unknown.push_back(address);
        }
    }
    if (unknown.empty()) {
        return;
    }
    std::vector<Place> places = look_up(unknown);
    for (std::size_t i = 0; i < unknown.size(); ++i) {
        known.places[unknown[i]] = std::move(places[i]);
    }
}

}  // namespace

bool is_header_of_emulator(std::string_view file) {
    for (std::string_view part : {"harness/simt/emulator/", "harness/simt/cuda_api/", "harness/simt/indices.hpp",
                                  "harness/simt/shared_words.hpp"}) {
        if (file.find(part) != std::string_view::npos) {
            return true;
        }
    }
    return file.starts_with("/usr/");
}

bool is_in_kernel(Place const& place) { return place.line != 0 && !is_header_of_emulator(place.file); }

void locate_at_once(std::vector<std::uintptr_t> const& return_addresses) {
    KnownPlaces& known = known_places();
    std::lock_guard const lock(known.mutex);
    add_places(known, return_addresses);
}

Place const& locate(std::uintptr_t return_address) {
    KnownPlaces& known = known_places();
    std::lock_guard const lock(known.mutex);
    auto const found = known.places.find(return_address);
    if (found != known.places.end()) {
        return found->second;
    }
    add_places(known, {return_address});
    return known.places[return_address];
}

}  // namespace lockstep::simt::hooks
