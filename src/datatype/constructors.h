// The constructors of derived datatypes (MPI 5.0 sections 5.1.2 to 5.1.4, 5.1.7, 5.1.10). Each
// returns a new datatype with one reference, not committed (except a duplicate of a committed one).
// They fail if the size or extent does not fit in 63 bits.
//
// Counts must not be negative. Array elements are checked here, and errors name the element. The
// arrays are copied.
#pragma once
#include "base/error.h"
#include "datatype/datatype.h"

namespace thrum {

// `count` elements of `old`, one extent apart.
Error new_contiguous(Count count, Datatype &old, Datatype *&result);
// `count` blocks of `blocklength` elements. Their beginnings are `stride` extents apart
// (new_hvector: `stride` bytes).
Error new_vector(Count count, Count blocklength, Count stride, Datatype &old, Datatype *&result);
Error new_hvector(Count count, Count blocklength, Count stride, Datatype &old, Datatype *&result);
// `count` blocks with a length and a displacement each, in extents of `old` (new_hindexed: in
// bytes).
Error new_indexed(Count count, const Count *blocklengths, const Count *displacements, Datatype &old,
                  Datatype *&result);
Error new_hindexed(Count count, const Count *blocklengths, const Count *displacements,
                   Datatype &old, Datatype *&result);
// The same with one length for all blocks.
Error new_indexed_block(Count count, Count blocklength, const Count *displacements, Datatype &old,
                        Datatype *&result);
Error new_hindexed_block(Count count, Count blocklength, const Count *displacements, Datatype &old,
                         Datatype *&result);
// `count` blocks with a length, a displacement in bytes and a datatype each.
Error new_struct(Count count, const Count *blocklengths, const Count *displacements,
                 Datatype *const *types, Datatype *&result);
// The data of `old` with other bounds.
Error new_resized(Datatype &old, Count lower_bound, Count extent, Datatype *&result);
// A datatype with the same type map and commit state.
Error new_duplicate(Datatype &old, Datatype *&result);
// Makes the same datatype again, with its contents but without name and attributes. `old` must not
// be a named predefined one.
Datatype *new_copy(const Datatype &old);

// Defined in array_types.cc. A part of an array: in each dimension `subsizes` of `sizes` elements
// from `starts` on. `order` is MPI_ORDER_C or MPI_ORDER_FORTRAN.
Error new_subarray(int dimensions, const Count *sizes, const Count *subsizes, const Count *starts,
                   int order, Datatype &old, Datatype *&result);

// The arrays of MPI_Type_create_darray, with an entry per dimension.
struct Distribution {
    const Count *sizes;
    const int *kinds;         // MPI_DISTRIBUTE_*
    const int *arguments;     // block sizes, or MPI_DISTRIBUTE_DFLT_DARG
    const int *process_sizes; // processes along the dimension
};

// The part of a distributed array that rank `rank` of `size` processes has.
Error new_distributed_array(int size, int rank, int dimensions, const Distribution &distribution,
                            int order, Datatype &old, Datatype *&result);

// Defined in unnamed.cc: predefined datatypes without a name. The same arguments give the same
// object (section 19.1.9). They live as long as the process and are shared by all ranks.
// `precision` and `range` are decimal digits and exponent, or MPI_UNDEFINED.
Error find_f90_real(int precision, int range, Datatype *&result);
Error find_f90_complex(int precision, int range, Datatype *&result);
Error find_f90_integer(int range, Datatype *&result);

} // namespace thrum
