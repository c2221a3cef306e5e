#include "common/object_layout/xml_tags.hpp"

#include <algorithm>

#include "harness/bench/error.hpp"

namespace lockstep::object_layout {

namespace {

constexpr std::size_t max_xml_depth = 16;
constexpr std::size_t max_attributes = 64;

bool is_xml_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_xml_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == ':' || c == '.';
}

}  // namespace

std::string_view XmlTag::value(std::string_view attribute) const {
    for (auto const& [key, text] : attributes) {
        if (key == attribute)
            return text;
    }
    return {};
}

void XmlTags::refuse(std::string const& why) const {
    auto const line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(begin_), '\n');
    throw bench::Error("network " + file_ + " cannot be read", "line " + std::to_string(line) + ": " + why,
                       "An OSM file has <node id lat lon> and <way> with <nd ref> and <tag k=\"highway\" v>.");
}

void XmlTags::skip_spaces() {
    while (at_ < text_.size() && is_xml_space(text_[at_]))
        ++at_;
}

void XmlTags::skip_behind(std::string_view end, char const* what) {
    std::size_t const found = text_.find(end, at_);
    if (found == std::string_view::npos)
        refuse(std::string(what) + " has no end");
    at_ = found + end.size();
}

// Moves to the `<` of the next tag. Returns false at the end of the text.
bool XmlTags::skip_to_tag() {
    while (true) {
        at_ = std::min(text_.find('<', at_), text_.size());
        begin_ = at_;
        if (at_ == text_.size())
            return false;
        if (follows("<?"))
            skip_behind("?>", "a processing instruction");
        else if (follows("<!--"))
            skip_behind("-->", "a comment");
        else if (follows("<!"))
            refuse("document types and CDATA sections are not read");
        else
            return true;
    }
}

std::string_view XmlTags::word(char const* what) {
    std::size_t const begin = at_;
    while (at_ < text_.size() && is_xml_name(text_[at_]))
        ++at_;
    if (at_ == begin)
        refuse(std::string("a tag without ") + what);
    return text_.substr(begin, at_ - begin);
}

void XmlTags::read_attributes() {
    for (skip_spaces(); at_ < text_.size() && text_[at_] != '>' && text_[at_] != '/'; skip_spaces()) {
        std::string_view const name = word("the name of an attribute");
        skip_spaces();
        if (!follows("="))
            refuse("an attribute without a value");
        ++at_;
        skip_spaces();
        if (!follows("\"") && !follows("'"))
            refuse("the value of an attribute is not quoted");
        std::string_view const quote = text_.substr(at_++, 1);
        std::size_t const begin = at_;
        skip_behind(quote, "the value of an attribute");
        std::string_view const value = text_.substr(begin, at_ - 1 - begin);
        if (value.find('<') != std::string_view::npos)
            refuse("the value of an attribute has a '<'");
        if (tag_.attributes.size() == max_attributes)
            refuse("a tag has more than 64 attributes");
        tag_.attributes.emplace_back(name, value);
    }
}

XmlTag const& XmlTags::next() {
    tag_.attributes.clear();
    if (!skip_to_tag()) {
        if (!open_.empty())
            refuse("the text ends within an element");
        tag_.kind = XmlTag::Kind::end_of_text;
        return tag_;
    }
    ++at_;
    bool const closes = follows("/");
    at_ += closes ? 1 : 0;
    tag_.name = word("a name");
    if (closes)
        skip_spaces();
    else
        read_attributes();
    bool const empty = !closes && follows("/");
    at_ += empty ? 1 : 0;
    if (!follows(">"))
        refuse("a tag has no end");
    ++at_;
    tag_.kind = closes ? XmlTag::Kind::closes : empty ? XmlTag::Kind::empty : XmlTag::Kind::opens;
    if (closes) {
        if (open_.empty() || open_.back() != tag_.name)
            refuse("a tag closes an element that is not open");
        open_.pop_back();
    } else if (!empty) {
        if (open_.size() == max_xml_depth)
            refuse("elements are nested more than 16 deep");
        open_.push_back(tag_.name);
    }
    return tag_;
}

}  // namespace lockstep::object_layout
