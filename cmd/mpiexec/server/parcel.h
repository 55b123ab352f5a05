// Parcel: texts and numbers behind one another in one text, for what mpiexec tells its agents.
#pragma once
#include "plan/options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpiexec {

class Parcel {
public:
    Parcel() = default;

    explicit Parcel(std::string text) : text_(std::move(text)) {}

    void put(const std::string &item) { text_ += std::to_string(item.size()) + ":" + item; }

    void put(int64_t number) { put(std::to_string(number)); }

    template <class T, class Put>
    void put_list(const std::vector<T> &items, Put put_item) {
        put(static_cast<int64_t>(items.size()));
        for (const T &item : items)
            put_item(item);
    }

    // The next one. Throws UsageError if the text is not what a Parcel has made.
    std::string take();

    int64_t take_number() { return std::stoll(take()); }

    template <class Take>
    auto take_list(Take take_item) {
        std::vector<decltype(take_item())> items;
        for (int64_t count = take_number(); count > 0; --count)
            items.push_back(take_item());
        return items;
    }

    const std::string &text() const { return text_; }

private:
    std::string text_;
    size_t at_ = 0;
};

} // namespace mpiexec
