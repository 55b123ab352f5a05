// Searches in a process's areas (registration.h), and the digest.
#include "bsp/registration.h"

#include <algorithm>

namespace thrum::bsp {
namespace {

// 2^64 divided by the golden ratio: spreads the bits
constexpr uint64_t golden = 0x9e3779b97f4a7c15;

// Returns the last area that begins at `address` and is not in `but`.
auto last_with_address(const std::vector<Area> &areas, const void *address,
                       const std::vector<uint64_t> &but) {
    return std::find_if(areas.rbegin(), areas.rend(), [&](const Area &area) {
        return area.address == address &&
               std::find(but.begin(), but.end(), area.number) == but.end();
    });
}

} // namespace

void Registrations::add_to_digest(uint64_t value) {
    digest_ = (digest_ ^ value) * golden;
    digest_ ^= digest_ >> 29;
}

void Registrations::push(const void *address, size_t size_bytes) {
    pushed_.push_back({static_cast<char *>(const_cast<void *>(address)), size_bytes, next_number_});
    add_to_digest(2 * ++next_number_);
}

bool Registrations::pop(const void *address) {
    auto pushed = last_with_address(pushed_, address, popped_);
    auto older = last_with_address(areas_, address, popped_);
    if (pushed == pushed_.rend() && older == areas_.rend())
        return false;
    uint64_t number = pushed != pushed_.rend() ? pushed->number : older->number;
    popped_.push_back(number);
    add_to_digest(2 * number + 1);
    return true;
}

void Registrations::apply() {
    if (pushed_.empty() && popped_.empty())
        return;
    areas_.insert(areas_.end(), pushed_.begin(), pushed_.end());
    for (uint64_t number : popped_)
        areas_.erase(std::find_if(areas_.begin(), areas_.end(),
                                  [=](const Area &area) { return area.number == number; }));
    pushed_.clear();
    popped_.clear();
}

const Area *Registrations::find(const void *address) const {
    auto found = std::find_if(areas_.rbegin(), areas_.rend(),
                              [=](const Area &area) { return area.address == address; });
    return found == areas_.rend() ? nullptr : &*found;
}

const Area *Registrations::find_containing(const void *address, size_t size_bytes) const {
    auto *first = static_cast<const char *>(address);
    auto found = std::find_if(areas_.rbegin(), areas_.rend(), [=](const Area &area) {
        return first >= area.address && size_bytes <= area.size_bytes &&
               first <= area.address + (area.size_bytes - size_bytes);
    });
    return found == areas_.rend() ? nullptr : &*found;
}

const Area *Registrations::numbered(uint64_t number) const {
    auto found = std::lower_bound(areas_.begin(), areas_.end(), number,
                                  [](const Area &area, uint64_t n) { return area.number < n; });
    return found == areas_.end() || found->number != number ? nullptr : &*found;
}

bool Registrations::is_pending(const void *address) const {
    return std::any_of(pushed_.begin(), pushed_.end(),
                       [=](const Area &area) { return area.address == address; });
}

} // namespace thrum::bsp
