// Converts the handles and numbers of calls from programs whose interface has others than the
// standard ABI's C: those in Fortran, and those that are built for another MPI. An object of these
// types lives for one call. c() returns what the implementation gets, the address of the standard's
// value, and the destructor stores the result in the program's variable.
//
// `I` describes the interface: Handle<MPI_Comm> is its handle; to_standard<MPI_Comm>() and
// from_standard<MPI_Comm>() convert it; from_standard_error() returns its number of an error.
#pragma once
#include "mpi.h"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>

namespace thrum::converted {

// Whether the call reads the argument, writes it, or both.
enum class Use { In, Out, InOut };

// The handle at an address that the program gives. A result that the call does not produce leaves
// the program's variable unchanged.
template <class I, class H, Use use>
class HandlePlace {
    using Its = typename I::template Handle<H>;

public:
    explicit HandlePlace(const Its *place)
        : place_(const_cast<Its *>(place)),
          handle_(use != Use::Out && place ? I::template to_standard<H>(*place) : H{}),
          before_(handle_) {}

    HandlePlace(const HandlePlace &) = delete;
    HandlePlace &operator=(const HandlePlace &) = delete;

    ~HandlePlace() {
        if (use != Use::In && place_ && handle_ != before_)
            *place_ = I::template from_standard<H>(handle_);
    }

    H *c() { return place_ ? &handle_ : nullptr; }

private:
    Its *place_;
    H handle_, before_;
};

inline constexpr size_t few_values = 16;

// An array of the standard's values: a few are on the stack.
template <class T>
class Values {
public:
    explicit Values(int64_t length)
        : length_(length > 0 ? static_cast<size_t>(length) : 0),
          values_(length_ <= few_values ? few_ : new T[length_]) {}

    Values(const Values &) = delete;
    Values &operator=(const Values &) = delete;

    ~Values() {
        if (values_ != few_)
            delete[] values_;
    }

    size_t length() const { return length_; }

    T *get() { return values_; }

    T &operator[](size_t i) { return values_[i]; }

private:
    size_t length_;
    T few_[few_values];
    T *values_;
};

template <class I, class H, Use use>
class Handles {
    using Its = typename I::template Handle<H>;

public:
    Handles(const Its *places, int64_t length)
        : places_(const_cast<Its *>(places)), handles_(places ? length : 0) {
        for (size_t i = 0; i < handles_.length(); ++i)
            handles_[i] = use == Use::Out ? H{} : I::template to_standard<H>(places_[i]);
    }

    Handles(const Handles &) = delete;
    Handles &operator=(const Handles &) = delete;

    ~Handles() {
        if (use == Use::In)
            return;
        for (size_t i = 0; i < handles_.length(); ++i)
            if (handles_[i] &&
                (use == Use::Out || handles_[i] != I::template to_standard<H>(places_[i])))
                places_[i] = I::template from_standard<H>(handles_[i]);
    }

    H *c() { return places_ ? handles_.get() : nullptr; }

private:
    Its *places_;
    Values<H> handles_;
};

// What a result holds until the call sets it: one that it does not set leaves the program's
// variable unchanged.
inline constexpr int unset = INT_MIN;

// Returns the int of C for a number of type Its. One that does not fit becomes the nearest that
// does: as a rank, a tag or a handle it is as invalid as before.
template <class Its>
constexpr int to_int(int64_t value) {
    if constexpr (sizeof(Its) > sizeof(int))
        return static_cast<int>(std::clamp<int64_t>(value, INT_MIN, INT_MAX));
    return static_cast<int>(value);
}

// The conversion of numbers that are the same in both interfaces.
constexpr int64_t same(int64_t value) {
    return value;
}

// Numbers that differ in their values, which `to` and `from` convert, or in their size: Its is the
// program's integer.

// A number that the call returns.
template <auto from, class Its = int>
class ValueResult {
public:
    explicit ValueResult(Its *place) : place_(place) {}

    ValueResult(const ValueResult &) = delete;
    ValueResult &operator=(const ValueResult &) = delete;

    ~ValueResult() {
        if (place_ && value_ != unset)
            *place_ = static_cast<Its>(from(value_));
    }

    int *c() { return place_ ? &value_ : nullptr; }

private:
    Its *place_;
    int value_ = unset;
};

// A number that the call changes.
template <auto to, auto from, class Its = int>
class ChangedValue {
public:
    explicit ChangedValue(Its *place)
        : place_(place), value_(place ? to_int<Its>(to(*place)) : 0) {}

    ChangedValue(const ChangedValue &) = delete;
    ChangedValue &operator=(const ChangedValue &) = delete;

    ~ChangedValue() {
        if (place_)
            *place_ = static_cast<Its>(from(value_));
    }

    int *c() { return place_ ? &value_ : nullptr; }

private:
    Its *place_;
    int value_;
};

// Numbers that the call reads.
template <auto to, class Its = int>
class ValueArray {
public:
    ValueArray(const Its *places, int64_t length) : places_(places), values_(places ? length : 0) {
        for (size_t i = 0; i < values_.length(); ++i)
            values_[i] = to_int<Its>(to(places[i]));
    }

    const int *c() { return places_ ? values_.get() : nullptr; }

private:
    const Its *places_;
    Values<int> values_;
};

// Numbers that the call returns.
template <auto from, class Its = int>
class ValueArrayResult {
public:
    ValueArrayResult(Its *places, int64_t length) : places_(places), values_(places ? length : 0) {
        for (size_t i = 0; i < values_.length(); ++i)
            values_[i] = unset;
    }

    ValueArrayResult(const ValueArrayResult &) = delete;
    ValueArrayResult &operator=(const ValueArrayResult &) = delete;

    ~ValueArrayResult() {
        for (size_t i = 0; i < values_.length(); ++i)
            if (values_[i] != unset)
                places_[i] = static_cast<Its>(from(values_[i]));
    }

    int *c() { return places_ ? values_.get() : nullptr; }

private:
    Its *places_;
    Values<int> values_;
};

// Statuses of another form: I::Status, which to_standard_status() and from_standard_status()
// convert; is_ignored() finds MPI_STATUS_IGNORE.

template <class I>
void begin_status(MPI_Status &status) {
    status.MPI_SOURCE = status.MPI_ERROR = unset;
}

template <class I>
void store_status(const MPI_Status &status, typename I::Status &place) {
    if (status.MPI_SOURCE != unset)
        I::from_standard_status(status, place);
    if (status.MPI_ERROR != unset)
        place.MPI_ERROR = static_cast<int>(I::from_standard_error(status.MPI_ERROR));
}

// One status, or MPI_STATUS_IGNORE.
template <class I, Use use>
class StatusPlace {
public:
    explicit StatusPlace(const typename I::Status *place)
        : place_(const_cast<typename I::Status *>(place)) {
        if (I::is_ignored(place_))
            return;
        if (use == Use::Out)
            begin_status<I>(status_);
        else
            I::to_standard_status(*place_, status_);
    }

    StatusPlace(const StatusPlace &) = delete;
    StatusPlace &operator=(const StatusPlace &) = delete;

    ~StatusPlace() {
        if (use != Use::In && !I::is_ignored(place_))
            store_status<I>(status_, *place_);
    }

    MPI_Status *c() { return I::is_ignored(place_) ? MPI_STATUS_IGNORE : &status_; }

private:
    typename I::Status *place_;
    MPI_Status status_;
};

// An array of statuses that the call returns, or MPI_STATUSES_IGNORE.
template <class I, Use use>
class Statuses {
public:
    Statuses(typename I::Status *places, int64_t length)
        : places_(places), statuses_(I::is_ignored(places) ? 0 : length) {
        static_assert(use == Use::Out);
        for (size_t i = 0; i < statuses_.length(); ++i)
            begin_status<I>(statuses_[i]);
    }

    Statuses(const Statuses &) = delete;
    Statuses &operator=(const Statuses &) = delete;

    ~Statuses() {
        for (size_t i = 0; i < statuses_.length(); ++i)
            store_status<I>(statuses_[i], places_[i]);
    }

    MPI_Status *c() { return I::is_ignored(places_) ? MPI_STATUSES_IGNORE : statuses_.get(); }

private:
    typename I::Status *places_;
    Values<MPI_Status> statuses_;
};

} // namespace thrum::converted
