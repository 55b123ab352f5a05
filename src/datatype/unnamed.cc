// Predefined datatypes without a name: MPI_Type_create_f90_*. The same arguments give the same
// datatype (section 19.1.9), so one list, which all ranks share, keeps them for ever. Programs
// make few of them, so the list is searched.
#include "base/spinlock.h"
#include "datatype/constructors.h"
#include "datatype/draft.h"

#include <memory>

namespace thrum {
namespace {

// An element of the list.
struct Unnamed {
    Datatype *type;
    Unnamed *next;
};

SpinLock unnamed_lock;
Unnamed *unnamed = nullptr; // under unnamed_lock

// Compares constructor and arguments.
bool same_contents(const Contents &a, const Contents &b) {
    if (a.combiner != b.combiner || a.types != b.types || a.arguments.size() != b.arguments.size())
        return false;
    for (size_t i = 0; i < a.arguments.size(); ++i)
        if (a.arguments[i].value != b.arguments[i].value)
            return false;
    return true;
}

// Returns the datatype with these contents, or nullptr. The caller holds the lock.
Datatype *find(const Contents &contents) {
    for (Unnamed *u = unnamed; u; u = u->next)
        if (same_contents(*u->type->contents, contents))
            return u->type;
    return nullptr;
}

// Returns the datatype with these contents; make() creates one if there is none. It is made under
// the lock, so that two ranks cannot make it twice.
template <class Make>
Datatype *find_or_make(const Contents &contents, Make make) {
    LockGuard guard(unnamed_lock);
    if (Datatype *type = find(contents))
        return type;
    Datatype *type = make(new Contents(contents));
    type->committed = type->predefined = true;
    unnamed = new Unnamed{type, unnamed};
    return type;
}

// Returns the datatype with the representation of the named datatype `like`.
Datatype *find_f90(const Contents &contents, MPI_Datatype like) {
    return find_or_make(contents, [&](const Contents *copy) {
        const Datatype &basic = *find_datatype(like);
        Datatype *type = new_like(basic, copy);
        type->kind = basic.kind;
        type->group = basic.group;
        type->external_bytes = basic.external_bytes;
        type->basic = type;
        return type;
    });
}

// Returns the contents of a call of MPI_Type_create_f90_*.
Contents f90_contents(int combiner, std::initializer_list<int> arguments) {
    Contents contents;
    contents.combiner = combiner;
    for (int argument : arguments)
        contents.add(Contents::Form::Integer, argument);
    return contents;
}

// Returns the smallest kind of gfortran's REAL (4, 8, 10, 16) with this precision and range, or 0.
int real_kind(int precision, int range) {
    constexpr struct {
        int kind, precision, range;
    } kinds[] = {{4, 6, 37}, {8, 15, 307}, {10, 18, 4931}, {16, 33, 4931}};

    for (const auto &k : kinds)
        if ((precision == MPI_UNDEFINED || precision <= k.precision) &&
            (range == MPI_UNDEFINED || range <= k.range))
            return k.kind;
    return 0;
}

// Sets `kind`. Fails if no kind satisfies both requirements.
Error check_real(const char *what, int precision, int range, int &kind) {
    if (precision == MPI_UNDEFINED && range == MPI_UNDEFINED)
        return fail(MPI_ERR_ARG, "p and r are both MPI_UNDEFINED");
    kind = real_kind(precision, range);
    return kind ? success
                : fail(MPI_ERR_ARG, "no %s has p = %d decimal digits and range r = %d", what,
                       precision, range);
}

} // namespace

// The contents keep the arguments, for MPI_Type_get_contents: so two calls that choose the same
// kind may give different datatypes.
Error find_f90_real(int precision, int range, Datatype *&result) {
    int kind;
    if (Error error = check_real("REAL", precision, range, kind))
        return error;
    MPI_Datatype like = kind == 4    ? MPI_REAL4
                        : kind == 8  ? MPI_REAL8
                        : kind == 10 ? MPI_LONG_DOUBLE
                                     : MPI_REAL16;
    result = find_f90(f90_contents(MPI_COMBINER_F90_REAL, {precision, range}), like);
    return success;
}

Error find_f90_complex(int precision, int range, Datatype *&result) {
    int kind;
    if (Error error = check_real("COMPLEX", precision, range, kind))
        return error;
    MPI_Datatype like = kind == 4    ? MPI_COMPLEX8
                        : kind == 8  ? MPI_COMPLEX16
                        : kind == 10 ? MPI_C_LONG_DOUBLE_COMPLEX
                                     : MPI_COMPLEX32;
    result = find_f90(f90_contents(MPI_COMBINER_F90_COMPLEX, {precision, range}), like);
    return success;
}

// The limits are the decimal digits that every value of that size can have.
Error find_f90_integer(int range, Datatype *&result) {
    MPI_Datatype like = range <= 2    ? MPI_INTEGER1
                        : range <= 4  ? MPI_INTEGER2
                        : range <= 9  ? MPI_INTEGER4
                        : range <= 18 ? MPI_INTEGER8
                                      : MPI_INTEGER16;
    if (range > 38)
        return fail(MPI_ERR_ARG, "no INTEGER has a range of r = %d decimal digits", range);
    result = find_f90(f90_contents(MPI_COMBINER_F90_INTEGER, {range}), like);
    return success;
}

} // namespace thrum
