// Profiling tools in programs whose INTEGER has 8 bytes. A procedure has one form there, for counts
// of all sizes. A tool gets C's MPI_X if all counts fit int, as it does of a C program, and MPI_X_c
// otherwise.
#pragma once
#include "entry/converted.h"
#include "fortran/program/tool.h"
#include "fortran/tool.h"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace thrum::fortran {

constexpr bool fits_int(int64_t number) {
    return number == static_cast<int>(number);
}

// The classes of counts. MPI_X_c gets the program's places; in_int() is what MPI_X gets, and stores
// results when it is destroyed. too_large() says that MPI_X could not return a result.

// Counts that the call reads.
class CountsOfTool {
public:
    CountsOfTool(const int64_t *places, int64_t length) : places_(places), length_(length) {}

    const int64_t *in_large() const { return places_; }

    bool fits() const {
        for (int64_t i = 0; i < length_; ++i)
            if (!fits_int(places_[i]))
                return false;
        return true;
    }

    // A null pointer stays one, and so does an array without elements: it may be not significant.
    converted::ValueArray<converted::same, int64_t> in_int() const { return {places_, length_}; }

private:
    const int64_t *places_;
    int64_t length_;
};

// A count that the call returns: MPI_UNDEFINED if it does not fit int (MPI 5.0 section 3.2.5).
class CountResultOfTool {
public:
    explicit CountResultOfTool(int64_t *place) : place_(place) {}

    int64_t *in_large() const { return place_; }

    bool too_large() const { return *place_ == MPI_UNDEFINED; }

    converted::ValueResult<converted::same, int64_t> in_int() const {
        return converted::ValueResult<converted::same, int64_t>(place_);
    }

protected:
    int64_t *place_;
};

// The size of a buffer that the call detaches. It cannot be asked for again, so the program gets
// MPI_UNDEFINED, as one in C.
class DetachedBytes : public CountResultOfTool {
public:
    using CountResultOfTool::CountResultOfTool;

    bool too_large() const { return false; }
};

// A count that the call changes.
class ChangedCountOfTool {
public:
    explicit ChangedCountOfTool(int64_t *place) : place_(place) {}

    int64_t *in_large() const { return place_; }

    bool fits() const { return fits_int(*place_); }

    converted::ChangedValue<converted::same, converted::same, int64_t> in_int() const {
        return converted::ChangedValue<converted::same, converted::same, int64_t>(place_);
    }

private:
    int64_t *place_;
};

// An argument that MPI_X gets as it is, or a count that fits.
template <class Parameter>
class PlainOfTool {
public:
    explicit PlainOfTool(Parameter value) : value_(value) {}

    Parameter c() const { return value_; }

private:
    Parameter value_;
};

// Returns whether MPI_X, which has this parameter, can get the argument.
template <class Parameter, class Argument>
bool fits(const Argument &argument) {
    if constexpr (requires { argument.fits(); })
        return argument.fits();
    else if constexpr (std::is_same_v<Parameter, int> && std::is_integral_v<Argument>)
        return fits_int(argument);
    else
        return true;
}

template <class Argument>
bool is_too_large(const Argument &argument) {
    if constexpr (requires { argument.too_large(); })
        return argument.too_large();
    else
        return false;
}

template <class Parameter, class Argument>
auto in_int(const Argument &argument) {
    if constexpr (requires { argument.in_int(); })
        return argument.in_int();
    else if constexpr (std::is_integral_v<Argument>)
        return PlainOfTool<Parameter>(static_cast<Parameter>(argument));
    else
        return PlainOfTool<Parameter>(argument);
}

template <class Argument>
auto in_large(const Argument &argument) {
    if constexpr (requires { argument.in_large(); })
        return argument.in_large();
    else
        return argument;
}

// Both functions, as the program sees them: one of them at least is a tool's.
template <class Ordinary, class LargeCount>
class EitherForm;

template <class... Parameters, class LargeCount>
class EitherForm<int(Parameters...), LargeCount> {
public:
    explicit EitherForm(const FortranForms *forms) : forms_(forms) {}

    explicit operator bool() const { return forms_; }

    // Calls the one that the counts fit. A result that does not fit int is asked for again.
    template <class... Arguments>
    int operator()(const Arguments &...arguments) const {
        if ((... && fits<Parameters>(arguments))) {
            auto *ordinary = reinterpret_cast<int (*)(Parameters...)>(forms_->ordinary);
            const int code = ordinary(in_int<Parameters>(arguments).c()...);
            if (code != MPI_SUCCESS || !(... || is_too_large(arguments)))
                return code;
        }
        return reinterpret_cast<LargeCount *>(forms_->large_count)(in_large(arguments)...);
    }

private:
    const FortranForms *forms_;
};

// Returns the functions that the program has named for this call, or none. As take_tool().
template <class Ordinary, class LargeCount, class... Buffers>
EitherForm<Ordinary, LargeCount> take_either_form(const Buffers &...buffers) {
    return EitherForm<Ordinary, LargeCount>(
        reinterpret_cast<const FortranForms *>(take_tool<void()>(buffers...)));
}

} // namespace thrum::fortran
