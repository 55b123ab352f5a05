// OpenMP under oversubscription: a team per rank, each as large as the machine, would make
// thousands of threads that spin for each other. So with more ranks than cores OMP_NUM_THREADS is
// 1, unless the user says otherwise, and threads that wait for their team sleep
// (OMP_WAIT_POLICY=passive).
#pragma once

namespace thrum {

// For the job: changes the environment that all ranks will have, before any constructor has run.
// `room`: entries that may be added at the end of the vector.
void choose_openmp_defaults(char **environment, int room);
// Says once that it has, if there is an OpenMP runtime by now.
void announce_openmp_defaults();
// For a rank that has loaded the library at `path` and is about to construct it.
void choose_openmp_defaults_for_plugin(const char *path);

} // namespace thrum
