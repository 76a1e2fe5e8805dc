// A column of weights of a type not known beforehand: stored as uint32 while that fits, then as int64 or uint64, and
// as float64 from the first number with a point or an exponent on. A whole number that no float64 holds exactly is an
// error beside those, and so is a number that would be rounded to 0 or to infinity.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "text/cursor.hpp"

namespace pathfront {

class WeightColumn {
  public:
    using Small = std::vector<std::uint32_t>;
    using Whole = std::vector<std::int64_t>;
    using Real = std::vector<double>;
    using Huge = std::vector<std::uint64_t>;
    using Column = std::variant<Small, Whole, Real, Huge>;

    // `real`: a column of floats even if all its numbers are whole.
    explicit WeightColumn(bool real = false) : column_(real ? Column(Real()) : Column(Small())), only_real_(real) {}

    void reserve(std::size_t count) {
        std::visit([&](auto& column) { column.reserve(count); }, column_);
    }

    bool is_small() const { return holds<Small>(); }

    // Adds a number that has been read already, to a column that is_small().
    void add_small(std::uint32_t value) { std::get_if<Small>(&column_)->push_back(value); }

    // Reads the next number of the line.
    void take(Cursor& cursor) {
        cursor.skip_blanks();
        if (is_small()) {
            const std::string_view word = cursor.take_word();
            if (std::uint32_t value = 0; word.size() <= 10 && is_all(word, value))
                return add_small(value);
            cursor.go_back(word);
        }
        take_any(cursor);
    }

    Column finish() { return std::move(column_); }

  private:
    template <class Kind>
    bool holds() const {
        return std::holds_alternative<Kind>(column_);
    }

    void take_any(Cursor& cursor) {
        std::string_view word = cursor.take_word();
        const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
        std::int64_t whole = 0;
        std::uint64_t huge = 0;
        double real = 0;
        if (only_real_ && is_all<double>(digits, real))
            push(real);
        else if (is_all<std::int64_t>(digits, whole) && (whole >= 0 || !holds<Huge>())) {
            require_exact(cursor, word, whole);
            negative_ |= whole < 0;
            if (is_small())
                become<Whole>();
            push(whole);
        } else if (is_all<std::uint64_t>(digits, huge) && !negative_) {
            require_exact(cursor, word, huge);
            if (is_small() || holds<Whole>())
                become<Huge>();
            push(huge);
        } else if (!is_whole(digits) && is_all<double>(digits, real)) {
            if (!holds<Real>())
                become_real(cursor, word);
            push(real);
        } else
            refuse(cursor, word, digits);
    }

    [[noreturn]] static void refuse(Cursor& cursor, std::string_view word, std::string_view digits) {
        cursor.go_back(word);
        double real = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), real);
        if (is_whole(digits))
            cursor.fail("weight " + cursor.quoted_word() + " does not fit 64 bits with the others");
        if (error == std::errc::result_out_of_range && end == digits.data() + digits.size())
            cursor.fail("weight " + cursor.quoted_word() + " is too small or too large for a float64");
        cursor.fail("a weight expected, but " + cursor.quoted_word() + " found");
    }

    // Whether the number is a float64: its digits in base 2, without zeros at the end, are at most 53.
    template <class T>
    static bool is_exact(T value) {
        const auto size =
            value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
        return size == 0 || std::bit_width(size) - std::countr_zero(size) <= 53;
    }

    template <class T>
    void require_exact(Cursor& cursor, std::string_view word, T value) const {
        if (!holds<Real>() || is_exact(value))
            return;
        cursor.go_back(word);
        cursor.fail("weight " + cursor.quoted_word() + " would be rounded, because other weights are floats");
    }

    // Turns the whole numbers read so far into floats, because `word` is one.
    void become_real(Cursor& cursor, std::string_view word) {
        std::visit(
            [&](const auto& whole) {
                for (const auto value : whole)
                    if (!is_exact(value)) {
                        cursor.go_back(word);
                        cursor.fail("weight " + cursor.quoted_word() + " is a float, but an earlier one, " +
                                    std::to_string(value) + ", would be rounded if all were");
                    }
            },
            column_);
        become<Real>();
    }

    // Moves the weights read so far into a column of a wider kind.
    template <class Wider>
    void become() {
        column_ = std::visit([](const auto& narrow) { return Wider(narrow.begin(), narrow.end()); }, column_);
    }

    template <class T>
    void push(T value) {
        std::visit([&]<class U>(std::vector<U>& column) { column.push_back(static_cast<U>(value)); }, column_);
    }

    template <class T>
    static bool is_all(std::string_view word, T& value) {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        return error == std::errc{} && end == word.data() + word.size();
    }

    static bool is_whole(std::string_view word) {
        if (word.starts_with('-'))
            word.remove_prefix(1);
        return !word.empty() && std::all_of(word.begin(), word.end(), Cursor::is_digit);
    }

    Column column_;
    bool only_real_;
    bool negative_ = false;
};

} // namespace pathfront
