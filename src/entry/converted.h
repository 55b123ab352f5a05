// Converts the handles and numbers of calls from programs whose interface has others than the
// standard ABI's C: those in Fortran, and those that are built for another MPI. An object of these
// types lives for one call. c() returns what the implementation gets, the address of the standard's
// value, and the destructor stores the result in the program's variable.
//
// `I` describes the interface: Handle<MPI_Comm> is its handle; to_standard<MPI_Comm>() and
// from_standard<MPI_Comm>() convert it.
#pragma once
#include "mpi.h"

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

// Constants whose numbers differ: `to` and `from` convert one.

// A number that the call returns.
template <auto from>
class ValueResult {
public:
    explicit ValueResult(int *place) : place_(place) {}

    ValueResult(const ValueResult &) = delete;
    ValueResult &operator=(const ValueResult &) = delete;

    ~ValueResult() {
        if (place_ && value_ != unset)
            *place_ = static_cast<int>(from(value_));
    }

    int *c() { return place_ ? &value_ : nullptr; }

private:
    int *place_;
    int value_ = unset;
};

// A number that the call changes.
template <auto to, auto from>
class ChangedValue {
public:
    explicit ChangedValue(int *place)
        : place_(place), value_(place ? static_cast<int>(to(*place)) : 0) {}

    ChangedValue(const ChangedValue &) = delete;
    ChangedValue &operator=(const ChangedValue &) = delete;

    ~ChangedValue() {
        if (place_)
            *place_ = static_cast<int>(from(value_));
    }

    int *c() { return place_ ? &value_ : nullptr; }

private:
    int *place_;
    int value_;
};

// Numbers that the call reads.
template <auto to>
class ValueArray {
public:
    ValueArray(const int *places, int64_t length) : places_(places), values_(places ? length : 0) {
        for (size_t i = 0; i < values_.length(); ++i)
            values_[i] = static_cast<int>(to(places[i]));
    }

    const int *c() { return places_ ? values_.get() : nullptr; }

private:
    const int *places_;
    Values<int> values_;
};

// Numbers that the call returns.
template <auto from>
class ValueArrayResult {
public:
    ValueArrayResult(int *places, int64_t length) : places_(places), values_(places ? length : 0) {
        for (size_t i = 0; i < values_.length(); ++i)
            values_[i] = unset;
    }

    ValueArrayResult(const ValueArrayResult &) = delete;
    ValueArrayResult &operator=(const ValueArrayResult &) = delete;

    ~ValueArrayResult() {
        for (size_t i = 0; i < values_.length(); ++i)
            if (values_[i] != unset)
                places_[i] = static_cast<int>(from(values_[i]));
    }

    int *c() { return places_ ? values_.get() : nullptr; }

private:
    int *places_;
    Values<int> values_;
};

} // namespace thrum::converted
