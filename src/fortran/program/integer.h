/* INTEGER of the programs that the including file is compiled for: 8 bytes with -fdefault-integer-8
 * (THRUM_INTEGER8). */
#ifndef THRUM_FORTRAN_INTEGER_H
#define THRUM_FORTRAN_INTEGER_H

#include <stdint.h>

#ifdef THRUM_INTEGER8
typedef int64_t FortranInteger;
#else
typedef int32_t FortranInteger;
#endif

#endif
