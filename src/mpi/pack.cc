// MPI_Pack, MPI_Unpack and their external32 forms (MPI 5.0 sections 5.2 and 5.3), counts of
// elements (section 5.1.11). The packed form is the data in the order of the type map, without a
// header: so any datatype with the same basic types can unpack it.
#include "datatype/elements.h"
#include "datatype/external32.h"
#include "datatype/status.h"
#include "entry/argument.h"
#include "entry/calls.h"

#include <cstring>

namespace thrum::mpi {
namespace {

// Checks that `size_bytes` fit between `position` and the end of the packed buffer. `size_name` is
// the argument with the buffer's size.
Error check_room(const char *size_name, Count buffer_bytes, Count position, Count size_bytes) {
    if (position < 0)
        return fail(MPI_ERR_ARG, "position is %lld; it must not be negative",
                    static_cast<long long>(position));
    if (position > buffer_bytes || size_bytes > buffer_bytes - position)
        return fail(MPI_ERR_TRUNCATE, "%s is %lld; %lld bytes at position %lld do not fit",
                    size_name, static_cast<long long>(buffer_bytes),
                    static_cast<long long>(size_bytes), static_cast<long long>(position));
    return success;
}

// Checks a count that is not of a buffer's kind in mpi.api.
Error check_number(const char *name, Count value) {
    return value >= 0 ? success
                      : fail(MPI_ERR_COUNT, "%s is %lld; it must not be negative", name,
                             static_cast<long long>(value));
}

// The only portable representation of the standard.
Error check_representation(const char *datarep) {
    if (datarep && std::strcmp(datarep, "external32") == 0)
        return success;
    return fail(MPI_ERR_ARG, "datarep is \"%s\"; it must be \"external32\"",
                datarep ? datarep : "");
}

Error need_status(const MPI_Status *status) {
    return status ? success : fail(MPI_ERR_ARG, "status is MPI_STATUS_IGNORE");
}

} // namespace

// The communicator is not used: all processes have the same representation.
Error pack(const void *inbuf, Count incount, Datatype &datatype, void *outbuf, Count outsize,
           CountRef position, Communicator &) {
    auto size_bytes = static_cast<Count>(data_bytes(incount, datatype));
    Count start = position.get();
    if (Error error = check_room("outsize", outsize, start, size_bytes))
        return error;
    if (size_bytes > 0 && !outbuf)
        return arg::null_pointer("outbuf");
    pack_bytes(inbuf, incount, datatype, 0, static_cast<size_t>(size_bytes),
               static_cast<char *>(outbuf) + start);
    position = start + size_bytes;
    return success;
}

// Advances `position` by what was read. Local; the sender's communicator has no effect.
Error unpack(const void *inbuf, Count insize, CountRef position, void *outbuf, Count outcount,
             Datatype &datatype, Communicator &) {
    if (Error error = check_number("outcount", outcount))
        return error;
    auto size_bytes = static_cast<Count>(data_bytes(outcount, datatype));
    Count start = position.get();
    if (Error error = check_room("insize", insize, start, size_bytes))
        return error;
    if (size_bytes > 0 && !inbuf)
        return arg::null_pointer("inbuf");
    if (!outbuf)
        if (Error error = arg::check_bottom("outbuf", outcount, datatype))
            return error;
    unpack_bytes(static_cast<const char *>(inbuf) + start, 0, static_cast<size_t>(size_bytes),
                 outbuf, outcount, datatype);
    position = start + size_bytes;
    return success;
}

// Exact, since the packed form has no header.
Error pack_size(Count incount, Datatype &datatype, Communicator &, CountRef size) {
    size = static_cast<Count>(data_bytes(incount, datatype));
    return success;
}

// mpi.api has no kind for counts and buffers of this form, so both are checked here.
Error pack_external(const char datarep[], const void *inbuf, Count incount, Datatype &datatype,
                    void *outbuf, Count outsize, CountRef position) {
    if (Error error = check_representation(datarep))
        return error;
    if (Error error = check_number("incount", incount))
        return error;
    if (!inbuf)
        if (Error error = arg::check_bottom("inbuf", incount, datatype))
            return error;
    Count size_bytes = external_bytes(datatype, incount);
    Count start = position.get();
    if (Error error = check_room("outsize", outsize, start, size_bytes))
        return error;
    if (size_bytes > 0 && !outbuf)
        return arg::null_pointer("outbuf");
    thrum::pack_external(inbuf, incount, datatype, static_cast<char *>(outbuf) + start);
    position = start + size_bytes;
    return success;
}

// Advances `position` by what was read.
Error unpack_external(const char datarep[], const void *inbuf, Count insize, CountRef position,
                      void *outbuf, Count outcount, Datatype &datatype) {
    if (Error error = check_representation(datarep))
        return error;
    if (Error error = check_number("outcount", outcount))
        return error;
    Count size_bytes = external_bytes(datatype, outcount);
    Count start = position.get();
    if (Error error = check_room("insize", insize, start, size_bytes))
        return error;
    if (size_bytes > 0 && !inbuf)
        return arg::null_pointer("inbuf");
    if (!outbuf)
        if (Error error = arg::check_bottom("outbuf", outcount, datatype))
            return error;
    thrum::unpack_external(static_cast<const char *>(inbuf) + start, outbuf, outcount, datatype);
    position = start + size_bytes;
    return success;
}

Error pack_external_size(const char datarep[], Count incount, Datatype &datatype, CountRef size) {
    if (Error error = check_representation(datarep))
        return error;
    if (Error error = check_number("incount", incount))
        return error;
    size = external_bytes(datatype, incount);
    return success;
}

// The result is MPI_UNDEFINED if the bytes are not whole elements.
Error get_count(const MPI_Status *status, Datatype &datatype, CountRef count) {
    if (Error error = need_status(status))
        return error;
    count = count_elements(datatype, status_bytes(*status));
    return success;
}

// The result is MPI_UNDEFINED if the last basic element is cut.
Error get_elements(const MPI_Status *status, Datatype &datatype, CountRef count) {
    if (Error error = need_status(status))
        return error;
    count = count_basic_elements(datatype, status_bytes(*status));
    return success;
}

Error get_elements_x(const MPI_Status *status, Datatype &datatype, MPI_Count *count) {
    return get_elements(status, datatype, CountRef(count));
}

// Stores bytes, from which MPI_Get_count and MPI_Get_elements compute with any datatype.
Error status_set_elements(MPI_Status *status, Datatype &datatype, Count count) {
    if (Error error = need_status(status))
        return error;
    if (Error error = check_number("count", count))
        return error;
    Count size_bytes = bytes_of_basic_elements(datatype, count);
    if (size_bytes == MPI_UNDEFINED)
        return fail(MPI_ERR_COUNT, "count is %lld, but the datatype has no data",
                    static_cast<long long>(count));
    set_status_bytes(*status, size_bytes);
    return success;
}

Error status_set_elements_x(MPI_Status *status, Datatype &datatype, MPI_Count count) {
    return status_set_elements(status, datatype, count);
}

} // namespace thrum::mpi
