#include "base/gs_base.h"

#include "base/check.h"
#include "base/settings.h"

#include <cerrno>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr unsigned long hwcap2_fsgsbase = 2; // the kernel allows it (Linux 5.9)
// Initialised after read_settings(), which the library's first constructor calls.
const bool usable = settings().use_fsgsbase && (::getauxval(AT_HWCAP2) & hwcap2_fsgsbase) != 0;

[[gnu::noinline]] void set_gs_base_by_kernel(uintptr_t base) {
    constexpr int arch_set_gs = 0x1001;
    CHECK(::syscall(SYS_arch_prctl, arch_set_gs, base) == 0, "arch_prctl(ARCH_SET_GS, %#lx): %d",
          base, errno);
}

} // namespace

bool has_fsgsbase() {
    return usable;
}

void set_gs_base(uintptr_t base) {
    if (usable)
        __asm__ volatile("wrgsbase %0" : : "r"(base) : "memory");
    else
        set_gs_base_by_kernel(base);
}

} // namespace thrum
