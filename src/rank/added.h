// Ranks that are added to a running job (MPI_Comm_spawn): images, C-library states, fibers or
// threads like those of the first ranks, with numbers behind theirs.
//
// The ranks that one call has made are a cohort. When all of them have ended and nothing refers to
// their MPI state, their numbers and their memory are free for the next cohort.
#pragma once
#include "rank/contained.h"
#include "rank/job.h"
#include "rank/programs.h"

#include <string>
#include <vector>

namespace thrum {

// Makes ranks, which do not run yet, in the order of `programs`. Each has the environment of the
// calling rank, and its working directory if its program names none. Returns false, and a sentence
// in `error`, if nothing has been made.
bool make_ranks(const std::vector<ProgramSpecification> &programs, std::vector<Rank *> &ranks,
                std::string &error) MAY_SUSPEND;
// Makes ranks of a run (contained.h), which do not run yet and call no main. With `shared` they are
// like threads of the calling rank: they have its image and its C-library state. Otherwise they are
// like those of make_ranks(), with the program of the calling rank. `members` are theirs, in order.
bool make_contained_ranks(bool shared, Contained *members, size_t count, std::vector<Rank *> &ranks,
                          std::string &error) MAY_SUSPEND;
// Frees the memory of contained ranks that have all ended, or lets reclaim_ranks() do it later.
// `failed`: their MPI state may refer to stacks that are gone, so it is abandoned, not destroyed.
void release_contained_ranks(const std::vector<Rank *> &ranks, bool failed);
// Makes them run. Their MPI state must exist.
void start_ranks(const std::vector<Rank *> &ranks);
// Removes ranks that make_ranks() has made and that will not be started.
void unmake_ranks(const std::vector<Rank *> &ranks);

// Frees the memory of ended ranks to which nothing refers.
void reclaim_ranks();

// Whether a program is to run as a rank of this process or as a process of its own.
enum class ProgramUse { Rank, Process };

// Returns the file that `name` means for the calling rank: by its directory if it contains a slash,
// else in `directories` (separated by colons), PATH and its directory. Returns "", and why in
// `error`, if there is none or it cannot be used.
std::string find_executable(const char *name, const std::string &directories, ProgramUse use,
                            std::string &error);
// Returns whether ranks of this program need processes of their own: it is an executable that
// cannot be an image, or a script, whose interpreter the kernel finds.
bool needs_process(const std::string &path);
// Returns whether ranks can be added to this process.
bool can_add_ranks();
// Returns the working directory of the calling rank.
std::string working_directory();

// Returns how many numbers images may have, from 0.
int images_max();

} // namespace thrum
