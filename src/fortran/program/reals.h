/* Which sizes of REAL and DOUBLE PRECISION an archive is for, and the COMMON block by which objects
 * that are compiled for these are recognised. */
#ifndef THRUM_FORTRAN_REALS_H
#define THRUM_FORTRAN_REALS_H

#if defined THRUM_REAL8_DOUBLE16
#define THRUM_REAL_BYTES 8
#define THRUM_DOUBLE_BYTES 16
#define OWN_REALS thrum_fortran_reals_8_16_
#elif defined THRUM_REAL8_DOUBLE8
#define THRUM_REAL_BYTES 8
#define THRUM_DOUBLE_BYTES 8
#define OWN_REALS thrum_fortran_reals_8_8_
#else
#define THRUM_REAL_BYTES 4
#define THRUM_DOUBLE_BYTES 8
#define OWN_REALS thrum_fortran_reals_4_8_
#endif

#endif
