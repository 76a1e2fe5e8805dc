// Reading numbers from untrusted text, at memory speed. Every read is bounded by the end of the text, every number
// by the range of its field, and an error holds its position.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pathfront {

class ParseError : public std::runtime_error {
  public:
    ParseError(std::size_t at, const std::string& what) : std::runtime_error(what), offset(at) {}
    std::size_t offset;
};

class Cursor {
  public:
    explicit Cursor(std::string_view text) : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

    bool at_end() const { return at_ == end_; }
    bool at_line_end() const { return at_ == end_ || *at_ == '\n'; }
    char peek() const { return at_ == end_ ? '\0' : *at_; }
    std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
    std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
    std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
    double fraction() const { return size() == 0 ? 1.0 : static_cast<double>(offset()) / static_cast<double>(size()); }

    void step() { ++at_; }
    void skip(std::size_t count) { at_ += std::min(count, left()); }
    bool starts_with(std::string_view word) const { return std::string_view(at_, left()).starts_with(word); }

    // Blanks between the numbers of a line; a carriage return is one, and so is `also` (the comma of a list).
    void skip_blanks(char also = ' ') {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == also))
            ++at_;
    }

    void skip_line() {
        const void* newline = at_ == end_ ? nullptr : std::memchr(at_, '\n', left());
        at_ = newline ? static_cast<const char*>(newline) + 1 : end_;
    }

    // Skips the line if it is blank or starts with one of the marks; otherwise skips only its leading blanks.
    bool skip_comment(char mark, char other) {
        skip_blanks();
        if (!at_line_end() && *at_ != mark && *at_ != other)
            return false;
        skip_line();
        return true;
    }

    // Only blanks may follow on the line.
    void expect_line_end() {
        skip_blanks();
        if (!at_line_end())
            fail("unexpected " + quoted_word());
        if (at_ != end_)
            ++at_;
    }

    bool take_word(std::string_view word) {
        skip_blanks();
        if (!starts_with(word) || (left() > word.size() && !is_blank(at_[word.size()])))
            return false;
        at_ += word.size();
        return true;
    }

    // A whole number in [0, most]; `what` names it in errors.
    std::uint64_t take_uint(const char* what, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
        const char* const start = at_;
        std::uint64_t value = 0;
        for (; at_ != end_ && is_digit(*at_); ++at_) {
            const auto digit = static_cast<std::uint64_t>(*at_ - '0');
            // nineteen digits cannot overflow, so only longer numbers are checked
            if (at_ - start >= 19 && value > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) {
                at_ = start;
                fail(std::string(what) + " " + quoted_word() + " is larger than " + std::to_string(most));
            }
            value = value * 10 + digit;
        }
        if (at_ == start || (at_ != end_ && !is_separator(*at_))) {
            at_ = start;
            fail(std::string(what) + " expected, but " + quoted_word() + " found");
        }
        if (value > most) {
            at_ = start;
            fail(std::string(what) + " " + quoted_word() + " is larger than " + std::to_string(most));
        }
        return value;
    }

    // The same after any blanks.
    std::uint64_t next_uint(const char* what, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
        skip_blanks();
        return take_uint(what, most);
    }

    // Reads three numbers of at most nine digits, separated by single blanks and ended by a newline: the form of nearly
    // all lines, at twice the speed of the general reader. Anything else: false, and the cursor has not moved.
    bool take_plain_line(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c) {
        constexpr std::size_t longest = 30;
        if (left() < longest)
            return false;
        const char* at = at_;
        if (!plain_number(at, a, ' ') || !plain_number(at, b, ' ') || !plain_number(at, c, '\n'))
            return false;
        at_ = at;
        return true;
    }

    // The next word, up to a separator; not past the line's end.
    std::string_view take_word() {
        const char* const start = at_;
        while (at_ != end_ && !is_separator(*at_))
            ++at_;
        return {start, static_cast<std::size_t>(at_ - start)};
    }

    void go_back(std::string_view word) { at_ = word.data(); }

    [[noreturn]] void fail(const std::string& what) const { throw ParseError(offset(), what); }

    std::string quoted_word() const {
        if (at_line_end() || (*at_ == '\r' && (left() == 1 || at_[1] == '\n')))
            return "the end of the line";
        std::string word;
        for (const char* c = at_; c != end_ && !is_blank(*c) && word.size() < 24; ++c)
            word += *c >= 32 && *c < 127 ? *c : '?';
        return "'" + word + "'";
    }

    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
    static bool is_separator(char c) { return is_blank(c) || c == ',' || c == ';'; }

  private:
    // One to nine digits and then `stop`; the caller has checked that ten characters are left.
    static bool plain_number(const char*& at, std::uint32_t& value, char stop) {
        const char* const start = at;
        std::uint32_t number = 0;
        for (unsigned digit; (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) <= 9; ++at) {
            if (at - start == 9)
                return false;
            number = number * 10 + digit;
        }
        value = number;
        return at != start && *at++ == stop;
    }

    const char *begin_, *at_, *end_;
};

} // namespace pathfront
