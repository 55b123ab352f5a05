// Ranks that are added to a running job (MPI_Comm_spawn): images, C-library states, fibers or
// threads like those of the first ranks, in numbers behind theirs.
//
// A cohort is what one call has made. When all its ranks have ended, and nobody refers to their MPI
// state, their numbers and all their memory are free for the next ones.
#pragma once
#include "rank/job.h"
#include "rank/programs.h"

#include <string>
#include <vector>

namespace thrum {

// Makes ranks, which do not run yet, in the order of `programs`; each has the environment of the
// calling rank, and its working directory if its program names none. False, and a sentence in
// `error`: nothing has been made.
bool make_ranks(const std::vector<ProgramSpecification> &programs, std::vector<Rank *> &ranks,
                std::string &error) MAY_SUSPEND;
// Lets them run, with MPI state.
void start_ranks(const std::vector<Rank *> &ranks);
// They have not run, and will not.
void unmake_ranks(const std::vector<Rank *> &ranks);

// Frees what ended ranks have left, as far as nobody refers to it any more.
void reclaim_ranks();

// What a file is to be the program of: of a rank of this process, or of a process.
enum class ProgramUse { Rank, Process };

// The file that `name` means for the calling rank: by its directory if there is a slash in it, else
// in `directories` (separated by colons), PATH and its directory. "": none, and why in `error`.
std::string find_executable(const char *name, const std::string &directories, ProgramUse use,
                            std::string &error);
// Whether its ranks need processes of their own: it is an executable, but cannot be an image, or a
// script, whose interpreter the kernel finds.
bool needs_process(const std::string &path);
// Whether ranks can be added to this process.
bool can_add_ranks();
// The calling rank's.
std::string working_directory();

// Numbers that images may have, from 0.
int images_max();

} // namespace thrum
