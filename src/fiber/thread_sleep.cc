#include "fiber/thread_sleep.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace thrum {
namespace {

// Reads a file of the thread, and ends the text with a zero. Returns false if there is none.
bool read_file(int thread_id, const char *name, char *text, size_t size_bytes) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/%s", thread_id, name);
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const ssize_t n = ::read(file, text, size_bytes - 1);
    ::close(file);
    text[n > 0 ? n : 0] = 0;
    return n > 0;
}

bool is_thread_of_process(int id) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d", id);
    return ::access(path, F_OK) == 0;
}

} // namespace

// "202 0xADDRESS 0xOPERATION 0xVALUE 0xTIMEOUT ...", or "running".
bool is_sleep_until_woken(const char *syscall_text, bool (*is_thread)(int id)) {
    long number;
    unsigned long address, operation, value, timeout;
    if (std::sscanf(syscall_text, "%ld %lx %lx %lx %lx", &number, &address, &operation, &value,
                    &timeout) != 5)
        return false;
    const unsigned long command = operation & static_cast<unsigned long>(FUTEX_CMD_MASK);
    if (number != SYS_futex || timeout != 0 ||
        (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET))
        return false;
    return (operation & FUTEX_PRIVATE_FLAG) || is_thread(static_cast<int>(value));
}

std::optional<uint64_t> sleeps_until_woken(int thread_id) {
    char text[4096];
    if (!read_file(thread_id, "syscall", text, sizeof text) ||
        !is_sleep_until_woken(text, is_thread_of_process) ||
        !read_file(thread_id, "status", text, sizeof text))
        return {};
    uint64_t switches = 0;
    const char *at = text;
    for (int i = 0; i < 2; ++i) { // voluntary_ctxt_switches, nonvoluntary_ctxt_switches
        at = std::strstr(at, "voluntary_ctxt_switches:");
        if (!at)
            return {};
        at += std::strlen("voluntary_ctxt_switches:");
        switches += std::strtoull(at, nullptr, 10);
    }
    return switches;
}

} // namespace thrum
