// The MPI_T variables that count file accesses, and what the observer notes of them
// (file_record.h).
#include "io/file_record.h"

#include "comm/tool_counts.h"
#include "io/open_file.h"

namespace thrum {

PERFORMANCE_VARIABLE(file_reads, .category = "files",
                     .description = "calls of this rank that read a file or start to read it",
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(file_writes, .category = "files",
                     .description = "calls of this rank that write a file or start to write it",
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(file_bytes_read, .category = "files",
                     .description = "bytes of files that these calls have read",
                     .variable_class = MPI_T_PVAR_CLASS_AGGREGATE,
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(file_bytes_written, .category = "files",
                     .description = "bytes of files that these calls have written",
                     .variable_class = MPI_T_PVAR_CLASS_AGGREGATE,
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(file_accesses_together, .category = "files",
                     .description = "collective accesses of this rank that were combined with "
                                    "those of other ranks (collective buffering)");

void record_call(const File &file) {
    observe::note_file(current_rank_thread().observed, file.open->observed);
}

void record_access(const File &file, bool writing) {
    if (observe::RankRecord *record = file.comm->process->rank->record) {
        record_call(file);
        observe::note_access(*record, file.open->observed, writing);
    }
    count_for_tools(*file.comm->process, writing ? file_writes : file_reads);
}

void record_moved(const File &file, bool writing, Count size_bytes) {
    if (observe::RankRecord *record = file.comm->process->rank->record)
        observe::note_moved(*record, file.open->observed, writing,
                            static_cast<uint64_t>(size_bytes));
    count_for_tools(*file.comm->process, writing ? file_bytes_written : file_bytes_read,
                    static_cast<uint64_t>(size_bytes));
}

void record_aggregated(const File &file) {
    count_for_tools(*file.comm->process, file_accesses_together);
}

} // namespace thrum
