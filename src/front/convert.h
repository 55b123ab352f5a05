// Converts the arguments of calls through a front: another MPI's binary interface, whose handles,
// statuses and constants differ from the standard ABI's. An object of these types lives for one
// call. c() returns what the implementation gets, the address of the standard's value, and the
// destructor stores the result in the program's variable.
//
// `F` describes the front (openmpi/openmpi.h):
//   Handle<MPI_Comm>           its handle; to_standard<MPI_Comm>(), from_standard() convert
//   Status, is_ignored()       its status; to_standard_status(), from_standard_status()
//   from_standard_error(code)  its number of an error
#pragma once
#include "comm/communicator.h"
#include "comm/error_codes.h"
#include "entry/converted.h"

#include <cstdint>
#include <cstring>

namespace thrum::front {

using converted::unset;
using converted::Use;
using converted::Values;

inline constexpr char not_written = 1; // begins a text until the call writes it

// A text that the call returns, where programs of the front have room for fewer bytes than those of
// the standard ABI: it is shortened.
template <size_t its_bytes, size_t bytes>
class TextResult {
public:
    explicit TextResult(char *place, int *length = nullptr) : place_(place), length_(length) {
        text_[0] = not_written;
        text_[1] = 0;
    }

    TextResult(const TextResult &) = delete;
    TextResult &operator=(const TextResult &) = delete;

    ~TextResult() {
        if (!place_ || (text_[0] == not_written && text_[1] == 0))
            return;
        const size_t length = ::strnlen(text_, its_bytes - 1);
        std::memcpy(place_, text_, length);
        place_[length] = 0;
        if (length_ && *length_ >= static_cast<int>(its_bytes))
            *length_ = static_cast<int>(its_bytes) - 1;
    }

    char *c() { return place_ ? text_ : nullptr; }

private:
    char *place_;
    int *length_;
    char text_[bytes];
};

// Returns the address of the front's number for the value of a predefined attribute, of which the
// standard's number is at `value`; nullptr: it is the same. MPI_HOST is MPI_PROC_NULL.
template <auto from_rank, auto from_flavor, auto from_model, auto from_error>
const int *front_attribute(int keyval, const void *value) {
    static constexpr int null_process = static_cast<int>(from_rank(MPI_PROC_NULL));
    static constexpr int flavors[] = {static_cast<int>(from_flavor(MPI_WIN_FLAVOR_CREATE)),
                                      static_cast<int>(from_flavor(MPI_WIN_FLAVOR_ALLOCATE)),
                                      static_cast<int>(from_flavor(MPI_WIN_FLAVOR_DYNAMIC)),
                                      static_cast<int>(from_flavor(MPI_WIN_FLAVOR_SHARED))};
    static constexpr int models[] = {static_cast<int>(from_model(MPI_WIN_UNIFIED)),
                                     static_cast<int>(from_model(MPI_WIN_SEPARATE))};
    const auto *number = static_cast<const int *>(value);
    switch (keyval) {
    case MPI_HOST:
        return *number == MPI_PROC_NULL ? &null_process : nullptr;
    case MPI_LASTUSEDCODE:
        return keep_last_used_code(current_process(), static_cast<int>(from_error(*number)));
    case MPI_WIN_CREATE_FLAVOR:
        return &flavors[*number - MPI_WIN_FLAVOR_CREATE];
    case MPI_WIN_MODEL:
        return &models[*number - MPI_WIN_UNIFIED];
    default:
        return nullptr;
    }
}

// The value of an attribute that the call returns. `front_value` is a front_attribute().
template <auto front_value>
class AttributeResult {
public:
    AttributeResult(void *place, int keyval, const int *flag)
        : place_(place), keyval_(keyval), flag_(flag) {}

    AttributeResult(const AttributeResult &) = delete;
    AttributeResult &operator=(const AttributeResult &) = delete;

    ~AttributeResult() {
        if (!place_ || !flag_ || !*flag_)
            return;
        void *value;
        std::memcpy(&value, place_, sizeof value);
        if (const int *its = front_value(keyval_, value))
            std::memcpy(place_, &its, sizeof its);
    }

    void *c() { return place_; }

private:
    void *place_;
    int keyval_;
    const int *flag_;
};

} // namespace thrum::front
