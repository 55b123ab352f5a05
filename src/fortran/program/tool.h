/* How the part of Thrum in a Fortran program (libmpifort.a) lets a profiling tool of C take part.
 */
#ifndef THRUM_FORTRAN_TOOL_H
#define THRUM_FORTRAN_TOOL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the coming call of the calling thread go to `function`, a tool's MPI_X. Called only if it
 * is not PMPI_X. */
__attribute__((visibility("default"))) void thrum_fortran_call_tool(void (*function)(void));

/* MPI_X and MPI_X_c, as the program sees them. */
struct FortranForms {
    void (*ordinary)(void), (*large_count)(void);
};

/* Does the same where the coming call gets INTEGERs of 8 bytes as counts, which decide. */
__attribute__((visibility("default"))) void
thrum_fortran_call_either_form(const struct FortranForms *forms);

/* Tells the library what a choice buffer is, before the call at `place` ("MPI_Send buf"). Only
 * programs that are linked by `mpifort --check` have it (compiler/check/fortran_buffers.c). */
struct FortranBuffer;
__attribute__((weak, visibility("hidden"))) void
thrum_check_fortran_buffer(const struct FortranBuffer *buffer, long count, int datatype,
                           const char *argument, const void *place);

#ifdef __cplusplus
}
#endif
#endif
