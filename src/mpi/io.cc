// Files (MPI 5.0 chapter 14): opening and closing, sizes, hints, views, positions, consistency. The
// implementation is in io/file.h; data access is in io_access.cc.
#include "datatype/constructors.h"
#include "entry/calls.h"
#include "entry/entry.h"
#include "io/file_defaults.h"
#include "io/file_record.h"
#include "io/keeper.h"
#include "io/opening.h"

#include <cstdio>
#include <cstring>

namespace thrum::mpi {

// Section 14.2

// A file has ranks of one group, so an inter-communicator is an error.
Error file_open(Communicator &comm, const char *filename, int amode, Info *info, MPI_File *fh) {
    if (comm.inter)
        return fail(MPI_ERR_COMM, "comm is an inter-communicator");
    File *file = nullptr;
    if (Error error = thrum::open(comm, filename, amode, info, file))
        return error;
    count_call(*file);
    *fh = file;
    return success;
}

// The handle is freed before the error is raised, so its error handler is kept until then.
Error file_close(MPI_File *fh) {
    File *file = find_file(*fh);
    if (!file)
        return arg::bad_handle(MPI_ERR_FILE, "fh", *fh, "file");
    Culprit culprit = culprit_of(*file);
    retain(*culprit.handler);
    count_call(*file);
    Error error = blame(culprit, thrum::close(*file));
    release(*culprit.handler); // blame() holds its own reference
    *fh = MPI_FILE_NULL;
    return error;
}

// Hints are ignored. The file may be open: only its name is removed.
Error file_delete(const char *filename, Info *) {
    if (!filename)
        return fail(MPI_ERR_ARG, "filename is a null pointer");
    return delete_file(filename);
}

Error file_set_size(File &fh, MPI_Offset size) {
    count_call(fh);
    return thrum::set_size(fh, size);
}

Error file_preallocate(File &fh, MPI_Offset size) {
    count_call(fh);
    return thrum::preallocate(fh, size);
}

Error file_get_size(File &fh, MPI_Offset *size) {
    return get_size(*fh.open, *size);
}

// The program frees the group, so it gets a reference.
Error file_get_group(File &fh, MPI_Group *group) {
    retain(*fh.comm->group);
    *group = handle_of(*fh.comm->group);
    return success;
}

Error file_get_amode(File &fh, int *amode) {
    *amode = fh.open->amode;
    return success;
}

Error file_set_info(File &fh, Info *info) {
    return thrum::set_info(fh, info);
}

Error file_get_info(File &fh, MPI_Info *info_used) {
    *info_used = handle_of(*used_info(fh));
    return success;
}

// Section 14.3

Error file_set_view(File &fh, MPI_Offset disp, Datatype &etype, Datatype &filetype,
                    const char *datarep, Info *info) {
    count_call(fh);
    return thrum::set_view(fh, disp, etype, filetype, datarep, info);
}

namespace {

// Returns a datatype to the caller: a named one itself, otherwise a duplicate, which the caller
// frees.
Error hand_out(Datatype &datatype, MPI_Datatype *handle) {
    Datatype *copy = &datatype;
    if (!datatype.predefined)
        if (Error error = new_duplicate(datatype, copy))
            return error;
    *handle = handle_of(*copy);
    return success;
}

} // namespace

// The program frees the datatypes, unless they are named.
Error file_get_view(File &fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype,
                    char *datarep) {
    if (!datarep)
        return fail(MPI_ERR_ARG, "datarep is a null pointer");
    const View &view = *fh.view;
    if (Error error = hand_out(*view.etype, etype))
        return error;
    if (Error error = hand_out(*view.filetype, filetype))
        return error;
    *disp = view.displacement;
    std::snprintf(datarep, MPI_MAX_DATAREP_STRING, "%s", view.representation->name.c_str());
    return success;
}

// Section 14.4: positions

Error file_seek(File &fh, MPI_Offset offset, int whence) {
    return thrum::seek(fh, offset, whence);
}

// In etypes of the current view.
Error file_get_position(File &fh, MPI_Offset *offset) {
    if (Error error = need_positions(fh))
        return error;
    LockGuard guard(fh.lock);
    *offset = fh.position;
    return success;
}

// Converts an offset in etypes of the view to a position in the file, without looking at the file.
Error file_get_byte_offset(File &fh, MPI_Offset offset, MPI_Offset *disp) {
    const View &view = *fh.view;
    Offset position = 0;
    if (offset < 0)
        return fail(MPI_ERR_ARG, "offset is %lld; it must not be negative",
                    static_cast<long long>(offset));
    if (__builtin_mul_overflow(offset, view.etype_bytes, &position))
        return fail(MPI_ERR_ARG, "offset is %lld, which exceeds the largest position of a file",
                    static_cast<long long>(offset));
    *disp = file_position(view, position);
    return success;
}

Error file_seek_shared(File &fh, MPI_Offset offset, int whence) {
    return thrum::seek_shared(fh, offset, whence);
}

Error file_get_position_shared(File &fh, MPI_Offset *offset) {
    if (Error error = need_positions(fh))
        return error;
    return get_shared_pointer(*fh.open, *offset);
}

// Section 14.5

// The extent that the datatype has in the file, in the representation of the current view.
Error file_get_type_extent(File &fh, Datatype &datatype, CountRef extent) {
    Datatype *in_file = nullptr;
    if (Error error = datatype_in_file(*fh.view->representation, datatype, in_file))
        return error;
    extent = in_file->extent;
    release(*in_file);
    return success;
}

// The conversion functions may be null: then data are not converted in that direction.
Error register_datarep(const char *datarep, AnyFunction read_conversion_fn,
                       AnyFunction write_conversion_fn,
                       MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state) {
    if (!datarep || !*datarep)
        return fail(MPI_ERR_ARG, "datarep is %s", datarep ? "empty" : "a null pointer");
    if (std::strlen(datarep) >= MPI_MAX_DATAREP_STRING)
        return fail(MPI_ERR_ARG, "datarep has %zu characters, at most %d are allowed",
                    std::strlen(datarep), MPI_MAX_DATAREP_STRING - 1);
    if (!dtype_file_extent_fn)
        return fail(MPI_ERR_ARG, "dtype_file_extent_fn is a null pointer");
    return register_representation({Representation::Kind::User, datarep, read_conversion_fn,
                                    write_conversion_fn, dtype_file_extent_fn, extra_state});
}

// Section 14.6

Error file_set_atomicity(File &fh, int flag) {
    return thrum::set_atomicity(fh, flag != 0);
}

Error file_get_atomicity(File &fh, int *flag) {
    *flag = fh.open->atomic_mode.load(std::memory_order_acquire); // [atomic-mode-1]
    return success;
}

Error file_sync(File &fh) {
    count_call(fh);
    return thrum::synchronize(fh);
}

} // namespace thrum::mpi
