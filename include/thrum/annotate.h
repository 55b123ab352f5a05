/* Regions of a program, for the traces of Thrum (mpiexec --trace, docs/traces.md):
 *
 *     thrum_region_begin("assembly");
 *     ...
 *     thrum_region_end();
 *
 * and in C++ `thrum::Region region("assembly");`, which ends with its scope. Regions of a thread
 * nest.
 *
 * This header needs no library: a region is a call of MPI_Pcontrol with a level of its own. So a
 * program with regions compiles, and runs unchanged, with every MPI; those whose MPI_Pcontrol does
 * nothing (the standard's own, section 15.2.4) ignore them. Fortran: annotate.f90. */
#ifndef THRUM_ANNOTATE_H
#define THRUM_ANNOTATE_H

#include <mpi.h>

/* Levels of MPI_Pcontrol. The first has a further argument: the name, const char *. */
#define THRUM_REGION_BEGIN 0x54480001
#define THRUM_REGION_END 0x54480002

/* Begins a region of the calling thread. The name is copied; more than 255 bytes are cut off. May
 * be called at any time, also before MPI_Init. */
static inline void thrum_region_begin(const char *name) {
    (void)MPI_Pcontrol(THRUM_REGION_BEGIN, name);
}

/* Ends the region that the calling thread began last. Without one it does nothing. */
static inline void thrum_region_end(void) {
    (void)MPI_Pcontrol(THRUM_REGION_END);
}

#ifdef __cplusplus
namespace thrum {

/* A region as long as the object lives. */
class Region {
public:
    explicit Region(const char *name) { thrum_region_begin(name); }

    ~Region() { thrum_region_end(); }

private:
    Region(const Region &); /* not copied: C++98 has no = delete */
    Region &operator=(const Region &);
};

} // namespace thrum
#endif

#endif
