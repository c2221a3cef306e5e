#include "harness/bench/json_numbers.hpp"

#include "harness/bench/error.hpp"
#include "harness/bench/json_text.hpp"

namespace lockstep::bench {

NumbersAndTexts read_numbers(std::filesystem::path const& path, std::string const& advice) {
    Json const document = read_json(path, advice);
    if (!document.is_object())
        throw Error("cannot use " + path.string(), "it is not a JSON object", advice);
    NumbersAndTexts all;
    for (auto const& [name, value] : document.items()) {
        if (value.is_number())
            all.numbers[name] = value.get<double>();
        else if (value.is_string())
            all.texts[name] = value.get<std::string>();
        else
            throw Error("cannot use " + path.string(), "the value of " + name + " is neither a number nor a text",
                        advice);
    }
    return all;
}

}  // namespace lockstep::bench
