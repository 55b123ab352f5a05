#include "base/gs_base.h"

#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr unsigned long hwcap2_fsgsbase = 2; // the kernel allows wrgsbase (Linux 5.9)
const bool has_fsgsbase = (::getauxval(AT_HWCAP2) & hwcap2_fsgsbase) != 0;

} // namespace

void set_gs_base(uintptr_t base) {
    constexpr int arch_set_gs = 0x1001;
    if (has_fsgsbase)
        __asm__ volatile("wrgsbase %0" : : "r"(base) : "memory");
    else
        ::syscall(SYS_arch_prctl, arch_set_gs, base);
}

} // namespace thrum
