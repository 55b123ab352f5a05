// Derived datatypes (MPI 5.0 section 5.1): construction, commit, bounds. The constructors
// themselves are in datatype/constructors.h; here their arguments are checked and converted.
// Contents are in datatype_contents.cc, names in datatype_name.cc, packing in pack.cc.
#include "comm/attributes.h"
#include "datatype/constructors.h"
#include "datatype/describe.h"
#include "datatype/predefined.h"
#include "entry/calls.h"

#include <vector>

namespace thrum::mpi {
namespace {

// Returns an array of int or MPI_Count as Count. A constructor keeps its arguments (section
// 5.1.13), so they are widened here once.
std::vector<Count> widen(CountArray array, Count count) {
    std::vector<Count> values(static_cast<size_t>(count));
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = array[i];
    return values;
}

// An array may be null if it has no elements.
Error need_array(const char *name, bool given, Count count) {
    return given || count == 0 ? success : fail(MPI_ERR_ARG, "%s is a null pointer", name);
}

// Stores the handle of a new datatype, unless making it failed. The program gets the only
// reference.
Error hand_out(Error error, Datatype *type, MPI_Datatype *handle) {
    if (!error)
        *handle = type ? handle_of(*type) : MPI_DATATYPE_NULL;
    return error;
}

using IndexedConstructor = Error(Count, const Count *, const Count *, Datatype &, Datatype *&);
using BlockConstructor = Error(Count, Count, const Count *, Datatype &, Datatype *&);

// The four constructors from lists of displacements, with a length for each block ...
template <IndexedConstructor construct>
Error make_indexed(Count count, CountArray blocklengths, CountArray displacements, Datatype &old,
                   MPI_Datatype *newtype) {
    if (Error error = need_array("array_of_blocklengths", bool(blocklengths), count))
        return error;
    if (Error error = need_array("array_of_displacements", bool(displacements), count))
        return error;
    Datatype *type = nullptr;
    Error error = construct(count, widen(blocklengths, count).data(),
                            widen(displacements, count).data(), old, type);
    return hand_out(error, type, newtype);
}

// ... and with one length for all.
template <BlockConstructor construct>
Error make_indexed_block(Count count, Count blocklength, CountArray displacements, Datatype &old,
                         MPI_Datatype *newtype) {
    if (Error error = need_array("array_of_displacements", bool(displacements), count))
        return error;
    Datatype *type = nullptr;
    Error error = construct(count, blocklength, widen(displacements, count).data(), old, type);
    return hand_out(error, type, newtype);
}

// Checks an argument of kind `inout datatype*`, which the entry point does not check.
Error check_handle(MPI_Datatype handle, Datatype *&type) {
    type = find_datatype(handle);
    return type ? success
                : fail(MPI_ERR_TYPE, handle == MPI_DATATYPE_NULL ? "datatype is MPI_DATATYPE_NULL"
                                                                 : "datatype is not a datatype");
}

} // namespace

Error type_contiguous(Count count, Datatype &oldtype, MPI_Datatype *newtype) {
    Datatype *type = nullptr;
    Error error = new_contiguous(count, oldtype, type);
    return hand_out(error, type, newtype);
}

Error type_vector(Count count, Count blocklength, Count stride, Datatype &oldtype,
                  MPI_Datatype *newtype) {
    Datatype *type = nullptr;
    Error error = new_vector(count, blocklength, stride, oldtype, type);
    return hand_out(error, type, newtype);
}

Error type_create_hvector(Count count, Count blocklength, Count stride, Datatype &oldtype,
                          MPI_Datatype *newtype) {
    Datatype *type = nullptr;
    Error error = new_hvector(count, blocklength, stride, oldtype, type);
    return hand_out(error, type, newtype);
}

Error type_indexed(Count count, CountArray array_of_blocklengths, CountArray array_of_displacements,
                   Datatype &oldtype, MPI_Datatype *newtype) {
    return make_indexed<new_indexed>(count, array_of_blocklengths, array_of_displacements, oldtype,
                                     newtype);
}

Error type_create_hindexed(Count count, CountArray array_of_blocklengths,
                           CountArray array_of_displacements, Datatype &oldtype,
                           MPI_Datatype *newtype) {
    return make_indexed<new_hindexed>(count, array_of_blocklengths, array_of_displacements, oldtype,
                                      newtype);
}

Error type_create_indexed_block(Count count, Count blocklength, CountArray array_of_displacements,
                                Datatype &oldtype, MPI_Datatype *newtype) {
    return make_indexed_block<new_indexed_block>(count, blocklength, array_of_displacements,
                                                 oldtype, newtype);
}

Error type_create_hindexed_block(Count count, Count blocklength, CountArray array_of_displacements,
                                 Datatype &oldtype, MPI_Datatype *newtype) {
    return make_indexed_block<new_hindexed_block>(count, blocklength, array_of_displacements,
                                                  oldtype, newtype);
}

// The old datatypes need not be committed, but must exist.
Error type_create_struct(Count count, CountArray array_of_blocklengths,
                         CountArray array_of_displacements, const MPI_Datatype array_of_types[],
                         MPI_Datatype *newtype) {
    if (Error error = need_array("array_of_blocklengths", bool(array_of_blocklengths), count))
        return error;
    if (Error error = need_array("array_of_displacements", bool(array_of_displacements), count))
        return error;
    if (Error error = need_array("array_of_types", array_of_types != nullptr, count))
        return error;
    std::vector<Datatype *> types(static_cast<size_t>(count));
    for (size_t i = 0; i < types.size(); ++i) {
        types[i] = find_datatype(array_of_types[i]);
        if (!types[i])
            return fail(MPI_ERR_TYPE, "array_of_types[%zu] is %s", i,
                        array_of_types[i] == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL"
                                                               : "not a datatype");
    }
    Datatype *type = nullptr;
    Error error = new_struct(count, widen(array_of_blocklengths, count).data(),
                             widen(array_of_displacements, count).data(), types.data(), type);
    return hand_out(error, type, newtype);
}

// The arrays have an entry per dimension; the constructor checks their values.
Error type_create_subarray(int ndims, CountArray array_of_sizes, CountArray array_of_subsizes,
                           CountArray array_of_starts, int order, Datatype &oldtype,
                           MPI_Datatype *newtype) {
    if (ndims < 1)
        return fail(MPI_ERR_ARG, "ndims is %d; it must be positive", ndims);
    if (Error error = need_array("array_of_sizes", bool(array_of_sizes), ndims))
        return error;
    if (Error error = need_array("array_of_subsizes", bool(array_of_subsizes), ndims))
        return error;
    if (Error error = need_array("array_of_starts", bool(array_of_starts), ndims))
        return error;
    Datatype *type = nullptr;
    Error error = new_subarray(ndims, widen(array_of_sizes, ndims).data(),
                               widen(array_of_subsizes, ndims).data(),
                               widen(array_of_starts, ndims).data(), order, oldtype, type);
    return hand_out(error, type, newtype);
}

// Only the sizes may be large counts; all other arrays are ints.
Error type_create_darray(int size, int rank, int ndims, CountArray array_of_gsizes,
                         const int array_of_distribs[], const int array_of_dargs[],
                         const int array_of_psizes[], int order, Datatype &oldtype,
                         MPI_Datatype *newtype) {
    if (ndims < 1)
        return fail(MPI_ERR_ARG, "ndims is %d; it must be positive", ndims);
    if (Error error = need_array("array_of_gsizes", bool(array_of_gsizes), ndims))
        return error;
    if (Error error = need_array("array_of_distribs", array_of_distribs != nullptr, ndims))
        return error;
    if (Error error = need_array("array_of_dargs", array_of_dargs != nullptr, ndims))
        return error;
    if (Error error = need_array("array_of_psizes", array_of_psizes != nullptr, ndims))
        return error;
    std::vector<Count> sizes = widen(array_of_gsizes, ndims);
    Distribution distribution{sizes.data(), array_of_distribs, array_of_dargs, array_of_psizes};
    Datatype *type = nullptr;
    Error error = new_distributed_array(size, rank, ndims, distribution, order, oldtype, type);
    return hand_out(error, type, newtype);
}

Error type_create_resized(Datatype &oldtype, Count lb, Count extent, MPI_Datatype *newtype) {
    Datatype *type = nullptr;
    Error error = new_resized(oldtype, lb, extent, type);
    return hand_out(error, type, newtype);
}

// The duplicate has the attributes for which the copy function says so, and the same commit state.
Error type_dup(Datatype &oldtype, MPI_Datatype *newtype) {
    Datatype *type = nullptr;
    if (Error error = new_duplicate(oldtype, type))
        return error;
    if (Error error =
            copy_attributes(attributes_of(oldtype), handle_of(oldtype), type->attributes)) {
        release(*type);
        return error;
    }
    *newtype = type;
    return success;
}

// Only pairs with a name exist; for others the standard allows MPI_DATATYPE_NULL.
Error type_get_value_index(Datatype &value_type, Datatype &index_type, MPI_Datatype *pair_type) {
    Datatype *type = find_pair(value_type, index_type);
    *pair_type = type ? handle_of(*type) : MPI_DATATYPE_NULL;
    return success;
}

// Predefined datatypes: the same arguments give the same handle, which cannot be freed.
Error type_create_f90_real(int p, int r, MPI_Datatype *newtype) {
    Datatype *type = nullptr;
    Error error = find_f90_real(p, r, type);
    return hand_out(error, type, newtype);
}

Error type_create_f90_complex(int p, int r, MPI_Datatype *newtype) {
    Datatype *type = nullptr;
    Error error = find_f90_complex(p, r, type);
    return hand_out(error, type, newtype);
}

Error type_create_f90_integer(int r, MPI_Datatype *newtype) {
    Datatype *type = nullptr;
    Error error = find_f90_integer(r, type);
    return hand_out(error, type, newtype);
}

// Section 19.1.9: returns the named datatype of a class with this size in bytes. The error says
// which of the two arguments has no match.
Error type_match_size(int typeclass, int size, MPI_Datatype *datatype) {
    // A row of the table; each named Fortran type has one.
    struct Match {
        int typeclass;
        int size;
        MPI_Datatype handle;
    };

    const Match matches[] = {
        {MPI_TYPECLASS_REAL, 2, MPI_REAL2},         {MPI_TYPECLASS_REAL, 4, MPI_REAL4},
        {MPI_TYPECLASS_REAL, 8, MPI_REAL8},         {MPI_TYPECLASS_REAL, 16, MPI_REAL16},
        {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},   {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
        {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},   {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
        {MPI_TYPECLASS_INTEGER, 16, MPI_INTEGER16}, {MPI_TYPECLASS_COMPLEX, 4, MPI_COMPLEX4},
        {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},   {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16},
        {MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32}, {MPIX_TYPECLASS_LOGICAL, 1, MPI_LOGICAL1},
        {MPIX_TYPECLASS_LOGICAL, 2, MPI_LOGICAL2},  {MPIX_TYPECLASS_LOGICAL, 4, MPI_LOGICAL4},
        {MPIX_TYPECLASS_LOGICAL, 8, MPI_LOGICAL8},  {MPIX_TYPECLASS_LOGICAL, 16, MPI_LOGICAL16},
    };
    bool known = false;
    for (const Match &match : matches) {
        known = known || match.typeclass == typeclass;
        if (match.typeclass == typeclass && match.size == size) {
            *datatype = match.handle;
            return success;
        }
    }
    if (!known)
        return fail(MPI_ERR_ARG, "typeclass is %d, which is not an MPI_TYPECLASS_* constant",
                    typeclass);
    return fail(MPI_ERR_ARG, "size is %d; no datatype of the type class has that size", size);
}

// Layouts are made by the constructors, so committing only allows the datatype's use. The flag is
// written only once: predefined datatypes are shared by all ranks and are not writable.
Error type_commit(MPI_Datatype *datatype) {
    Datatype *type;
    if (Error error = check_handle(*datatype, type))
        return error;
    if (!type->committed)
        type->committed = true;
    return success;
}

// Predefined datatypes cannot be freed. Attributes are deleted now, not with the last reference:
// pending operations may outlive the handle, but attributes do not.
Error type_free(MPI_Datatype *datatype) {
    Datatype *type;
    if (Error error = check_handle(*datatype, type))
        return error;
    if (type->predefined) {
        char name[MPI_MAX_OBJECT_NAME + 32];
        return fail(MPI_ERR_TYPE, "datatype is %s, which is predefined and cannot be freed",
                    describe(*type, name, sizeof name));
    }
    if (Error error = delete_attributes(type->attributes, type))
        return error;
    release(*type);
    *datatype = MPI_DATATYPE_NULL;
    return success;
}

// An int that is too small gets MPI_UNDEFINED (CountRef).
Error type_size(Datatype &datatype, CountRef size) {
    size = datatype.size_bytes;
    return success;
}

Error type_size_x(Datatype &datatype, MPI_Count *size) {
    *size = datatype.size_bytes;
    return success;
}

Error type_get_extent(Datatype &datatype, CountRef lb, CountRef extent) {
    lb = datatype.lower_bound;
    extent = datatype.extent;
    return success;
}

Error type_get_extent_x(Datatype &datatype, MPI_Count *lb, MPI_Count *extent) {
    *lb = datatype.lower_bound;
    *extent = datatype.extent;
    return success;
}

// The true extent is that of the data, without the bounds that were set.
Error type_get_true_extent(Datatype &datatype, CountRef true_lb, CountRef true_extent) {
    true_lb = datatype.true_lower_bound;
    true_extent = datatype.true_extent;
    return success;
}

Error type_get_true_extent_x(Datatype &datatype, MPI_Count *true_lb, MPI_Count *true_extent) {
    *true_lb = datatype.true_lower_bound;
    *true_extent = datatype.true_extent;
    return success;
}

Error get_address(const void *location, MPI_Aint *address) {
    *address = reinterpret_cast<MPI_Aint>(location);
    return success;
}

// Section 5.1.5: arithmetic on addresses. Unsigned, because a difference may exceed MPI_Aint's
// positive range.
MPI_Aint aint_add(MPI_Aint base, MPI_Aint disp) {
    return static_cast<MPI_Aint>(static_cast<uintptr_t>(base) + static_cast<uintptr_t>(disp));
}

MPI_Aint aint_diff(MPI_Aint addr1, MPI_Aint addr2) {
    return static_cast<MPI_Aint>(static_cast<uintptr_t>(addr1) - static_cast<uintptr_t>(addr2));
}

} // namespace thrum::mpi
