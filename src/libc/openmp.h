// OpenMP under oversubscription: a team per rank, each as large as the machine, would make
// thousands of threads that spin for each other. So with more ranks than cores OMP_NUM_THREADS is
// 1, unless the user has set it. Threads that wait for their team sleep (OMP_WAIT_POLICY=passive).
#pragma once

namespace thrum {

// Changes the environment that all ranks of the job will have. Must be called before any
// constructor has run, because the runtime reads its variables there. `room`: how many entries may
// be added at the end of the vector.
void choose_openmp_defaults(char **environment, int room);
// Reports, once, that OMP_NUM_THREADS was set, if an OpenMP runtime is loaded by now.
void announce_openmp_defaults();
// Does the same for a rank that has loaded the library at `path` and is about to construct it.
void choose_openmp_defaults_for_plugin(const char *path);

} // namespace thrum
