// GS base: the distance from a private variable of the program to the calling rank's copy, in
// programs compiled with --privatize (compiler/README.md). The C library does not use it.
#pragma once
#include <cstdint>

namespace thrum {

// Sets the GS base of the calling OS thread. 0 selects the variables of the executable itself,
// which rank 0 uses.
void set_gs_base(uintptr_t base);

// Returns whether the instructions wrfsbase and wrgsbase may be used. Otherwise (and with
// THRUM_FSGSBASE=0, for tests) arch_prctl(2) is used instead.
bool has_fsgsbase();

} // namespace thrum
