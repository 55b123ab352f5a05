// The conversions of Open MPI's front that are not a matter of a word or two.
#include "front/openmpi/openmpi.h"

#include "datatype/op.h"
#include "image/image.h"

#include <array>

namespace thrum::front {
namespace {

// The addresses of the predefined objects as one rank's program sees them: an executable may have
// COPYs of them, of which each clone has its own.
struct ObjectAddresses {
    uintptr_t addresses[openmpi::object_count];

    explicit ObjectAddresses(const Process &process);
};

const Extension<Process, ObjectAddresses> object_addresses;

// Looks up each name once for each rank. The main thread of a process that has loaded the front at
// run time has no image to look into: ld.so's scope is the same then.
ObjectAddresses::ObjectAddresses(const Process &process) {
    for (int i = 0; i < openmpi::object_count; ++i)
        addresses[i] = reinterpret_cast<uintptr_t>(
            find_global(process.rank->image, openmpi::object_names[i].symbol));
}

// The place of each constant in the tables; -1: the constant has no object.
constexpr std::array<int8_t, 4096> places = [] {
    std::array<int8_t, 4096> result{};
    for (int8_t &place : result)
        place = -1;
    for (int i = 0; i < openmpi::object_count; ++i)
        result[openmpi::object_names[i].constant] = static_cast<int8_t>(i);
    return result;
}();
static_assert(openmpi::object_count < 128);

} // namespace

uintptr_t OpenMpi::address_of_constant(uintptr_t value) {
    if (places[value] < 0)
        return value;
    return object_addresses.of(current_process())
        .get_or_make(current_process())
        .addresses[places[value]];
}

int *OpenMpi::to_standard_weights(const int *weights) {
    switch (reinterpret_cast<uintptr_t>(weights)) {
    case 2:
        return MPI_UNWEIGHTED;
    case 3:
        return MPI_WEIGHTS_EMPTY;
    default:
        return const_cast<int *>(weights);
    }
}

void OpenMpi::to_standard_status(const Status &its, MPI_Status &status) {
    status.MPI_SOURCE = static_cast<int>(openmpi::to_standard_rank(its.MPI_SOURCE));
    status.MPI_TAG = static_cast<int>(openmpi::to_standard_tag(its.MPI_TAG));
    status.MPI_ERROR = static_cast<int>(to_standard_error(its.MPI_ERROR));
    set_status_bytes(status, static_cast<Count>(its.size_bytes));
    set_status_cancelled(status, its.cancelled != 0);
}

void OpenMpi::from_standard_status(const MPI_Status &status, Status &its) {
    its.MPI_SOURCE = static_cast<int>(openmpi::from_standard_rank(status.MPI_SOURCE));
    its.MPI_TAG = static_cast<int>(openmpi::from_standard_tag(status.MPI_TAG));
    its.size_bytes = static_cast<size_t>(status_bytes(status));
    its.cancelled = status_cancelled(status);
}

int64_t OpenMpi::from_standard_error(int64_t code) {
    return openmpi::from_standard_error(code);
}

int64_t OpenMpi::to_standard_error(int64_t code) {
    return openmpi::to_standard_error(code);
}

namespace {

// Calls a reduction function of the C++ bindings: (const void *invec, void *inoutvec, int len,
// const MPI::Datatype &datatype). The class has a pointer to virtual functions, and the handle.
void call_cxx_function(void (*function)(), void *invec, void *inoutvec, int *len,
                       MPI_Datatype datatype) {
    struct Object {
        void *virtual_functions;
        OpenMpi::Handle<MPI_Datatype> handle;
    };

    using Function = void(const void *, void *, int, const Object &);
    // A table begins with two words for the run-time type.
    auto *table =
        static_cast<char *>(find_global(current_process().rank->image, "_ZTVN3MPI8DatatypeE"));
    const Object object{table ? table + 2 * sizeof(void *) : nullptr,
                        OpenMpi::from_standard(datatype)};
    reinterpret_cast<Function *>(function)(invec, inoutvec, *len, object);
}

} // namespace

// Returns MPI_COMM_NULL as the calling rank's program knows it. Before there are ranks,
// constructors of the original program call it.
extern "C" [[gnu::visibility("default")]] void *thrum_openmpi_comm_null() {
    return find_global(rank_count() == 0 ? nullptr : current_process().rank->image,
                       "ompi_mpi_comm_null");
}

// Makes an operation one of the C++ bindings.
extern "C" [[gnu::visibility("default")]] void
thrum_openmpi_op_set_cxx_callback(OpenMpi::Handle<MPI_Op> its_op, void (*function)()) {
    if (Op *op = find_op(OpenMpi::to_standard<MPI_Op>(its_op))) {
        op->user = {function, false};
        op->foreign = call_cxx_function;
    }
}

} // namespace thrum::front
