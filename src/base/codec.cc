// Decoding. A mistake is recorded once, with the byte where it is.
#include "base/codec.h"

namespace thrum {

int64_t Decoder::take_number(int64_t least, int64_t most) {
    int64_t number = 0;
    const size_t begin = at_;
    if (!ok())
        return least;
    if (take_digits(';', number) && number >= least && number <= most)
        return number;
    at_ = begin;
    const bool is_any = least == INT64_MIN && most == INT64_MAX;
    fail(is_any ? "a number"
                : "a number from " + std::to_string(least) + " to " + std::to_string(most));
    return least;
}

std::string Decoder::take_text() {
    int64_t size = 0;
    const size_t begin = at_;
    if (!ok())
        return "";
    if (!take_digits(':', size) || size < 0 || static_cast<size_t>(size) > text_.size() - at_) {
        at_ = begin;
        fail("a text");
        return "";
    }
    at_ += static_cast<size_t>(size);
    return std::string(text_.substr(at_ - static_cast<size_t>(size), static_cast<size_t>(size)));
}

bool Decoder::finish() {
    if (ok() && at_ < text_.size())
        fail("the end");
    return ok();
}

bool Decoder::take_digits(char end, int64_t &number) {
    const char *begin = text_.data() + at_, *last = text_.data() + text_.size();
    auto [after, error] = std::from_chars(begin, last, number);
    if (error != std::errc() || after == last || *after != end)
        return false;
    at_ += static_cast<size_t>(after + 1 - begin);
    return true;
}

void Decoder::fail(const std::string &expected) {
    error_ = "byte " + std::to_string(at_) + ": expected " + expected;
}

} // namespace thrum
