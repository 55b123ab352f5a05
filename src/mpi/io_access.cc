// Data access (MPI 5.0 section 14.4): each function is a combination of positioning, synchronism
// and coordination (io/file_access.h).
//
#include "entry/calls.h"
#include "entry/entry.h"
#include "io/file_access.h"

namespace thrum::mpi {
namespace {

constexpr bool reading = false, writing = true;

// Some ranks may pass an offset while others use their pointer: MPI_File_write_all on some ranks
// and MPI_File_write_at_all on others are one collective operation. Other MPIs do the same, and
// PnetCDF relies on it. It also holds for the non-blocking and split forms.

// The three ways to say where an access begins. The buffer's const is cast away since one type
// describes reads and writes; `write` decides.
AccessCall at(bool write, MPI_Offset offset, const void *buf, Count count, Datatype &datatype) {
    return {write, Positioning::Explicit, offset, const_cast<void *>(buf), count, datatype};
}

AccessCall individual(bool write, const void *buf, Count count, Datatype &datatype) {
    return {write, Positioning::Individual, 0, const_cast<void *>(buf), count, datatype};
}

AccessCall shared(bool write, const void *buf, Count count, Datatype &datatype) {
    return {write, Positioning::Shared, 0, const_cast<void *>(buf), count, datatype};
}

} // namespace

// Explicit offsets (section 14.4.2)

Error file_read_at(File &fh, MPI_Offset offset, void *buf, Count count, Datatype &datatype,
                   MPI_Status *status) {
    return access(fh, at(reading, offset, buf, count, datatype), status);
}

Error file_iread_at(File &fh, MPI_Offset offset, void *buf, Count count, Datatype &datatype,
                    MPI_Request *request) {
    return start_access(fh, at(reading, offset, buf, count, datatype), *request);
}

Error file_read_at_all(File &fh, MPI_Offset offset, void *buf, Count count, Datatype &datatype,
                       MPI_Status *status) {
    return access_all(fh, Collective::FileReadAll, at(reading, offset, buf, count, datatype),
                      status);
}

Error file_iread_at_all(File &fh, MPI_Offset offset, void *buf, Count count, Datatype &datatype,
                        MPI_Request *request) {
    return start_access_all(fh, at(reading, offset, buf, count, datatype), *request);
}

Error file_write_at(File &fh, MPI_Offset offset, const void *buf, Count count, Datatype &datatype,
                    MPI_Status *status) {
    return access(fh, at(writing, offset, buf, count, datatype), status);
}

Error file_iwrite_at(File &fh, MPI_Offset offset, const void *buf, Count count, Datatype &datatype,
                     MPI_Request *request) {
    return start_access(fh, at(writing, offset, buf, count, datatype), *request);
}

Error file_write_at_all(File &fh, MPI_Offset offset, const void *buf, Count count,
                        Datatype &datatype, MPI_Status *status) {
    return access_all(fh, Collective::FileWriteAll, at(writing, offset, buf, count, datatype),
                      status);
}

Error file_iwrite_at_all(File &fh, MPI_Offset offset, const void *buf, Count count,
                         Datatype &datatype, MPI_Request *request) {
    return start_access_all(fh, at(writing, offset, buf, count, datatype), *request);
}

// Individual file pointers (section 14.4.3)

Error file_read(File &fh, void *buf, Count count, Datatype &datatype, MPI_Status *status) {
    return access(fh, individual(reading, buf, count, datatype), status);
}

Error file_iread(File &fh, void *buf, Count count, Datatype &datatype, MPI_Request *request) {
    return start_access(fh, individual(reading, buf, count, datatype), *request);
}

Error file_read_all(File &fh, void *buf, Count count, Datatype &datatype, MPI_Status *status) {
    return access_all(fh, Collective::FileReadAll, individual(reading, buf, count, datatype),
                      status);
}

Error file_iread_all(File &fh, void *buf, Count count, Datatype &datatype, MPI_Request *request) {
    return start_access_all(fh, individual(reading, buf, count, datatype), *request);
}

Error file_write(File &fh, const void *buf, Count count, Datatype &datatype, MPI_Status *status) {
    return access(fh, individual(writing, buf, count, datatype), status);
}

Error file_iwrite(File &fh, const void *buf, Count count, Datatype &datatype,
                  MPI_Request *request) {
    return start_access(fh, individual(writing, buf, count, datatype), *request);
}

Error file_write_all(File &fh, const void *buf, Count count, Datatype &datatype,
                     MPI_Status *status) {
    return access_all(fh, Collective::FileWriteAll, individual(writing, buf, count, datatype),
                      status);
}

Error file_iwrite_all(File &fh, const void *buf, Count count, Datatype &datatype,
                      MPI_Request *request) {
    return start_access_all(fh, individual(writing, buf, count, datatype), *request);
}

// Shared file pointers (section 14.4.4)

Error file_read_shared(File &fh, void *buf, Count count, Datatype &datatype, MPI_Status *status) {
    return access(fh, shared(reading, buf, count, datatype), status);
}

Error file_iread_shared(File &fh, void *buf, Count count, Datatype &datatype,
                        MPI_Request *request) {
    return start_access(fh, shared(reading, buf, count, datatype), *request);
}

Error file_read_ordered(File &fh, void *buf, Count count, Datatype &datatype, MPI_Status *status) {
    return access_all(fh, Collective::FileReadOrdered, shared(reading, buf, count, datatype),
                      status);
}

Error file_write_shared(File &fh, const void *buf, Count count, Datatype &datatype,
                        MPI_Status *status) {
    return access(fh, shared(writing, buf, count, datatype), status);
}

Error file_iwrite_shared(File &fh, const void *buf, Count count, Datatype &datatype,
                         MPI_Request *request) {
    return start_access(fh, shared(writing, buf, count, datatype), *request);
}

Error file_write_ordered(File &fh, const void *buf, Count count, Datatype &datatype,
                         MPI_Status *status) {
    return access_all(fh, Collective::FileWriteOrdered, shared(writing, buf, count, datatype),
                      status);
}

// Split collective access (section 14.4.5)

Error file_read_at_all_begin(File &fh, MPI_Offset offset, void *buf, Count count,
                             Datatype &datatype) {
    return begin_access(fh, Collective::FileReadAtAllBegin,
                        at(reading, offset, buf, count, datatype));
}

Error file_read_at_all_end(File &fh, void *buf, MPI_Status *status) {
    return end_access(fh, Collective::FileReadAtAllBegin, buf, status);
}

Error file_write_at_all_begin(File &fh, MPI_Offset offset, const void *buf, Count count,
                              Datatype &datatype) {
    return begin_access(fh, Collective::FileWriteAtAllBegin,
                        at(writing, offset, buf, count, datatype));
}

Error file_write_at_all_end(File &fh, const void *buf, MPI_Status *status) {
    return end_access(fh, Collective::FileWriteAtAllBegin, buf, status);
}

Error file_read_all_begin(File &fh, void *buf, Count count, Datatype &datatype) {
    return begin_access(fh, Collective::FileReadAllBegin,
                        individual(reading, buf, count, datatype));
}

Error file_read_all_end(File &fh, void *buf, MPI_Status *status) {
    return end_access(fh, Collective::FileReadAllBegin, buf, status);
}

Error file_write_all_begin(File &fh, const void *buf, Count count, Datatype &datatype) {
    return begin_access(fh, Collective::FileWriteAllBegin,
                        individual(writing, buf, count, datatype));
}

Error file_write_all_end(File &fh, const void *buf, MPI_Status *status) {
    return end_access(fh, Collective::FileWriteAllBegin, buf, status);
}

Error file_read_ordered_begin(File &fh, void *buf, Count count, Datatype &datatype) {
    return begin_access(fh, Collective::FileReadOrderedBegin,
                        shared(reading, buf, count, datatype));
}

Error file_read_ordered_end(File &fh, void *buf, MPI_Status *status) {
    return end_access(fh, Collective::FileReadOrderedBegin, buf, status);
}

Error file_write_ordered_begin(File &fh, const void *buf, Count count, Datatype &datatype) {
    return begin_access(fh, Collective::FileWriteOrderedBegin,
                        shared(writing, buf, count, datatype));
}

Error file_write_ordered_end(File &fh, const void *buf, MPI_Status *status) {
    return end_access(fh, Collective::FileWriteOrderedBegin, buf, status);
}

} // namespace thrum::mpi
