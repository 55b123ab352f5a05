// Reports a full table of descriptors, which all ranks of a process share. Its limit is raised as
// far as possible at the start of the job. When it is reached nevertheless, a program would name
// only its own file, so this says what to do. The calls that open a file are in
// blocking_descriptors.cc; sockets and pipes are here.
#include "libc/descriptor_limit.h"

#include "base/check.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/standard_descriptors.h"

#include <atomic>
#include <cerrno>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace thrum {
namespace {

// Returns what the program gets for a call that opens one descriptor.
int opened(int result) MAY_SUSPEND {
    if (result < 0)
        note_failure_to_open();
    return numbered(result);
}

// Does the same for a call that opens two. The first end gets the lower number, as in a process.
int opened_pair(int result, int (&ends)[2]) MAY_SUSPEND {
    if (result < 0) {
        note_failure_to_open();
        return result;
    }
    for (int &end : ends)
        end = numbered(end);
    return result;
}

int override_socket(int domain, int type, int protocol) MAY_SUSPEND {
    return opened(::socket(domain, type, protocol));
}

int override_socketpair(int domain, int type, int protocol, int (&ends)[2]) MAY_SUSPEND {
    return opened_pair(::socketpair(domain, type, protocol, ends), ends);
}

int override_pipe(int (&ends)[2]) MAY_SUSPEND {
    return opened_pair(::pipe(ends), ends);
}

int override_pipe2(int (&ends)[2], int flags) MAY_SUSPEND {
    return opened_pair(::pipe2(ends, flags), ends);
}

const FunctionOverride table[] = {
    OVERRIDE("socket", override_socket),
    OVERRIDE("socketpair", override_socketpair),
    OVERRIDE("pipe", override_pipe),
    OVERRIDE("pipe2", override_pipe2),
};

} // namespace

LIBC_FUNCTIONS(table);

// Only the first failure is reported, because a program may try again in a loop.
void note_failure_to_open() {
    int error = errno;
    static std::atomic<bool> said{false};
    rlimit limit = {};
    if ((error == EMFILE || error == ENFILE) && !in_forked_child() &&
        !said.exchange(true, std::memory_order_relaxed) &&
        ::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        if (error == EMFILE)
            report(
                "rank %d cannot open another file: the %d ranks of this process share one table of "
                "%llu descriptors, and all are in use. Raise the hard limit (ulimit -Hn), or let "
                "ranks close their files",
                current_rank().world_rank, rank_count(),
                static_cast<unsigned long long>(limit.rlim_cur));
        else
            report("rank %d cannot open another file: the machine has no more (fs.file-max)",
                   current_rank().world_rank);
    }
    errno = error;
}

} // namespace thrum
