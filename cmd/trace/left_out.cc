#include "left_out.h"

#include "plan/message.h"

#include <filesystem>

namespace trace {

std::string symbolizer() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "symbolize";
}

void say_what_is_missing(const observation::EventReader &events) {
    if (events.left_out() == 0)
        return;
    const double seconds = static_cast<double>(events.full_ns()) * 1e-9;
    if (events.is_ring())
        mpiexec::say("the trace has the last events of each rank: {} earlier ones are left out "
                     "(--trace-limit keeps more)",
                     events.left_out());
    else if (events.disk_was_full())
        mpiexec::say("the trace ends after {:.3f} s: the disk of the temporary directory was full, "
                     "and {} events are left out",
                     seconds, events.left_out());
    else
        mpiexec::say("the trace ends after {:.3f} s, at --trace-limit: {} events are left out "
                     "(a larger limit, --trace-keep last or MPI_Pcontrol(0) help)",
                     seconds, events.left_out());
}

} // namespace trace
