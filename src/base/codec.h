// Codec: texts and numbers, one after the other, in one text. Processes of Thrum exchange such
// texts in environment variables, through PMIx and through the connections of mpiexec.
//
// A number is its decimal digits and a semicolon, a text its length in bytes, a colon and the
// bytes, and a list the number of its items and the items: "2;3:abc1;0;" may be the number 2, the
// text "abc" and a list of one number, 0.
#pragma once
#include <charconv>
#include <climits>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thrum {

class Encoder {
public:
    void put_number(int64_t number) { text_ += std::to_string(number) + ';'; }

    void put_text(std::string_view text) {
        text_ += std::to_string(text.size()) + ':';
        text_ += text;
    }

    // Calls put_item(item) for each, which encodes it.
    template <class Items, class PutItem>
    void put_list(const Items &items, PutItem put_item) {
        put_number(static_cast<int64_t>(items.size()));
        for (const auto &item : items)
            put_item(item);
    }

    void put_texts(const std::vector<std::string> &texts) {
        put_list(texts, [this](const std::string &text) { put_text(text); });
    }

    const std::string &text() const { return text_; }

private:
    std::string text_;
};

// Reads what an Encoder has written, in the same order. After the first mistake in the text all
// functions return the least number or an empty value, so a caller checks once, with finish().
class Decoder {
public:
    explicit Decoder(std::string_view text) : text_(text) {} // `text` must stay

    int64_t take_number(int64_t least = INT64_MIN, int64_t most = INT64_MAX);

    int take_int(int least = INT_MIN, int most = INT_MAX) {
        return static_cast<int>(take_number(least, most));
    }

    bool take_bool() { return take_number(0, 1) != 0; }

    std::string take_text();

    // Calls take_item() for each item.
    template <class TakeItem>
    auto take_list(TakeItem take_item) {
        std::vector<decltype(take_item())> items;
        // An item has two bytes or more: a wrong number cannot exhaust the memory.
        for (int64_t left = take_number(0, items_max()); left > 0 && ok(); --left)
            items.push_back(take_item());
        return items;
    }

    std::vector<std::string> take_texts() {
        return take_list([this] { return take_text(); });
    }

    // Returns whether all was valid, and the text ends here.
    bool finish();

    bool ok() const { return error_.empty(); }

    // The first mistake: "byte 7: expected a number from 0 to 3". "": none.
    const std::string &error() const { return error_; }

private:
    int64_t items_max() const { return static_cast<int64_t>((text_.size() - at_) / 2); }

    // Reads digits and the character after them. Returns false if they are missing.
    bool take_digits(char end, int64_t &number);
    void fail(const std::string &expected);

    std::string_view text_;
    size_t at_ = 0;
    std::string error_;
};

} // namespace thrum
