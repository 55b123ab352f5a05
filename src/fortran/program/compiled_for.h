/* Stops the linker where an object was compiled for another interface: its calls would reach
 * functions that expect other constants, statuses or sizes.
 *
 * Such an object has a COMMON block with another name. The linker takes the archive's file that
 * defines the block, prints the warning with the object's name, and then does not find what `stop`
 * refers to. */
#ifndef THRUM_FORTRAN_COMPILED_FOR_H
#define THRUM_FORTRAN_COMPILED_FOR_H

extern char compile_the_object_that_the_warning_names_again;
static char *const stop __attribute__((used)) = &compile_the_object_that_the_warning_names_again;

/* `size` is that of the block, of which the linker would tell another. */
#define COMPILED_FOR(block, size, text)                                                            \
    _Alignas(32) char block[size] = {1};                                                           \
    static const char warning_of_##block[]                                                         \
        __attribute__((used, section(".gnu.warning." #block))) = "this object was compiled " text

#endif
