#pragma once
// Reads the tags of an XML text in order: names, attributes and nesting, which must be well formed. Text between tags,
// comments and processing instructions are skipped; document types and CDATA sections are refused, so no entity can be
// defined. Values stay as they are written: entities are not replaced.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::object_layout {

struct XmlTag {
    enum class Kind { opens, empty, closes, end_of_text };
    Kind kind = Kind::end_of_text;
    std::string_view name;
    std::vector<std::pair<std::string_view, std::string_view>> attributes;

    // The value of an attribute, or an empty text.
    std::string_view value(std::string_view attribute) const;
};

// Views into `text`, which must outlive the reader. `file` names it in errors.
class XmlTags {
public:
    XmlTags(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

    // The next tag. Throws bench::Error with the line if the text is not well formed.
    XmlTag const& next();
    // Throws bench::Error with the line of the tag that was read last.
    [[noreturn]] void refuse(std::string const& why) const;
    // The number of elements that are open.
    std::size_t depth() const { return open_.size(); }

private:
    bool skip_to_tag();
    void skip_behind(std::string_view end, char const* what);
    void skip_spaces();
    std::string_view word(char const* what);
    void read_attributes();
    bool follows(std::string_view part) const { return text_.substr(at_, part.size()) == part; }

    std::string_view text_;
    std::string file_;
    std::size_t at_ = 0;
    std::size_t begin_ = 0;  // of the tag
    std::vector<std::string_view> open_;
    XmlTag tag_;
};

}  // namespace lockstep::object_layout
