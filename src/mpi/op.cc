// Reduction operations (MPI 5.0 sections 6.9.5 to 6.9.7): creation, freeing, and MPI_Reduce_local.
// The operations themselves are datatype/op.h.
#include "datatype/op.h"

#include "entry/calls.h"
#include "entry/tolerance.h"

namespace thrum::mpi {

// The function is kept in its int or large-count form; `op` has one reference, the handle's.
Error op_create(AnyFunction user_fn, int commute, MPI_Op *op) {
    if (!user_fn.function)
        return fail(MPI_ERR_ARG, "user_fn is a null pointer");
    Op *result = new_op();
    result->commutative = commute != 0;
    result->user = user_fn;
    *op = result;
    return success;
}

// A user's operation lives on while collective operations use it.
Error op_free(MPI_Op *op) {
    Op *object = find_op(*op);
    if (!object)
        return fail(MPI_ERR_OP,
                    *op == MPI_OP_NULL ? "op is MPI_OP_NULL" : "op is not an operation");
    if (object->predefined)
        return fail(MPI_ERR_OP, "op is a predefined operation, which cannot be freed");
    release(*object);
    *op = MPI_OP_NULL;
    return success;
}

Error op_commutative(Op &op, int *commute) {
    *commute = op.commutative;
    return success;
}

// Local: inoutbuf[i] = inbuf[i] op inoutbuf[i].
Error reduce_local(const void *inbuf, void *inoutbuf, Count count, Datatype &datatype, Op &op) {
    if (inbuf == MPI_IN_PLACE || inoutbuf == MPI_IN_PLACE) // section 6.9.7
        return fail(MPI_ERR_BUFFER, "%s is MPI_IN_PLACE, which MPI_Reduce_local does not support",
                    inbuf == MPI_IN_PLACE ? "inbuf" : "inoutbuf");
    if (Error error = check_operation(op, datatype))
        return error;
    // A user's function is not called for nothing.
    if (count > 0)
        thrum::reduce_local(op, inbuf, inoutbuf, count, datatype, handle_of(datatype));
    return success;
}

} // namespace thrum::mpi
