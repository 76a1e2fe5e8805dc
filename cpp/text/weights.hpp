// A column of weights of a type not known beforehand: stored as uint32 while that fits, then as int64 or uint64, and
// as float64 from the first fraction on. Whole numbers are not stored as floats otherwise.
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
    using Column = std::variant<std::vector<std::uint32_t>, std::vector<std::int64_t>, std::vector<double>,
                                std::vector<std::uint64_t>>;

    // `real`: a column of floats even if all its numbers are whole.
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
        case Kind::huge:
            return std::move(huge_);
        default:
            return std::move(real_);
        }
    }

  private:
    enum class Kind { small, whole, huge, real };

    void take_any(Cursor& cursor) {
        std::string_view word = cursor.take_word();
        const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
        std::int64_t whole = 0;
        std::uint64_t huge = 0;
        double real = 0;
        if (only_real_ && is_all<double>(digits, real))
            real_.push_back(real);
        else if (is_all<std::int64_t>(digits, whole) && (whole >= 0 || kind_ != Kind::huge)) {
            negative_ |= whole < 0;
            if (kind_ == Kind::small)
                become(Kind::whole, whole_);
            push(whole);
        } else if (is_all<std::uint64_t>(digits, huge) && !negative_) {
            if (kind_ == Kind::small || kind_ == Kind::whole)
                become(Kind::huge, huge_);
            push(huge);
        } else if (!is_whole(digits) && is_all<double>(digits, real)) {
            if (kind_ != Kind::real)
                become(Kind::real, real_);
            real_.push_back(real);
        } else {
            cursor.go_back(word);
            cursor.fail(is_whole(digits) ? "weight " + cursor.quoted_word() + " does not fit 64 bits with the others"
                                         : "a weight expected, but " + cursor.quoted_word() + " found");
        }
    }

    // Moves the weights read so far into the column of a wider kind.
    template <class T>
    void become(Kind kind, std::vector<T>& column) {
        auto move_from = [&](auto& narrow) {
            column.assign(narrow.begin(), narrow.end());
            narrow = {};
        };
        if (kind_ == Kind::small)
            move_from(small_);
        else if (kind_ == Kind::whole)
            move_from(whole_);
        else
            move_from(huge_);
        kind_ = kind;
    }

    template <class T>
    void push(T value) {
        if (kind_ == Kind::whole)
            whole_.push_back(static_cast<std::int64_t>(value));
        else if (kind_ == Kind::huge)
            huge_.push_back(static_cast<std::uint64_t>(value));
        else
            real_.push_back(static_cast<double>(value));
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
    bool negative_ = false;
    std::vector<std::uint32_t> small_;
    std::vector<std::int64_t> whole_;
    std::vector<std::uint64_t> huge_;
    std::vector<double> real_;
};

} // namespace pathfront
