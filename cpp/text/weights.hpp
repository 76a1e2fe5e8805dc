// A column of weights whose type is not known beforehand: kept as uint32 while that fits, then int64, then
// float64. A whole number is never stored as a float unless the column holds a fraction somewhere.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "text/cursor.hpp"

namespace pathfront {

class WeightColumn {
  public:
    using Column = std::variant<std::vector<std::uint32_t>, std::vector<std::int64_t>, std::vector<double>>;

    // `real`: a column of floats whatever its numbers look like.
    explicit WeightColumn(bool real = false) : kind_(real ? Kind::real : Kind::small), only_real_(real) {}

    void reserve(std::size_t count) {
        if (only_real_)
            real_.reserve(count);
        else
            small_.reserve(count);
    }

    bool is_small() const { return kind_ == Kind::small; }

    // Adds a number that has been read already, to a column that is_small().
    void add_small(std::uint32_t value) { small_.push_back(value); }

    // Reads the number at the cursor.
    void take(Cursor& cursor) {
        if (kind_ == Kind::small && Cursor::is_digit(cursor.peek())) {
            const std::string_view word = cursor.take_word();
            std::uint64_t value = 0;
            bool digits = word.size() <= 10;
            for (char c : word) {
                digits &= Cursor::is_digit(c);
                value = value * 10 + static_cast<std::uint64_t>(c - '0');
            }
            if (digits && value <= std::numeric_limits<std::uint32_t>::max()) {
                small_.push_back(static_cast<std::uint32_t>(value));
                return;
            }
            cursor.go_back(word);
        }
        take_any(cursor);
    }

    Column finish() {
        switch (kind_) {
        case Kind::small:
            return std::move(small_);
        case Kind::whole:
            return std::move(whole_);
        default:
            return std::move(real_);
        }
    }

  private:
    enum class Kind { small, whole, real };

    void take_any(Cursor& cursor) {
        std::string_view word = cursor.take_word();
        const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
        std::int64_t whole = 0;
        double real = 0;
        if (is_all<std::int64_t>(digits, whole)) {
            if (kind_ == Kind::small) {
                whole_.assign(small_.begin(), small_.end());
                small_ = {};
                kind_ = Kind::whole;
            }
            if (kind_ == Kind::whole)
                whole_.push_back(whole);
            else
                real_.push_back(static_cast<double>(whole));
        } else if ((only_real_ || !is_whole(digits)) && is_all<double>(digits, real)) {
            if (kind_ != Kind::real) {
                if (kind_ == Kind::small)
                    real_.assign(small_.begin(), small_.end());
                else
                    real_.assign(whole_.begin(), whole_.end());
                small_ = {};
                whole_ = {};
                kind_ = Kind::real;
            }
            real_.push_back(real);
        } else {
            cursor.go_back(word);
            cursor.fail(is_whole(digits) ? "weight " + cursor.quoted_word() + " does not fit 64 bits"
                                         : "a weight expected, but " + cursor.quoted_word() + " found");
        }
    }

    template <class T>
    static bool is_all(std::string_view word, T& value) {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        return error == std::errc{} && end == word.data() + word.size();
    }

    static bool is_whole(std::string_view word) {
        if (word.starts_with('-'))
            word.remove_prefix(1);
        for (char c : word)
            if (!Cursor::is_digit(c))
                return false;
        return !word.empty();
    }

    Kind kind_;
    bool only_real_;
    std::vector<std::uint32_t> small_;
    std::vector<std::int64_t> whole_;
    std::vector<double> real_;
};

} // namespace pathfront
