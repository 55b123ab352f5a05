#include "remarks.h"

#include "plan/message.h"

#include <filesystem>

namespace trace {

std::string symbolizer() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "symbolize";
}

static void say_what_is_missing(const observation::EventReader &events) {
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

static void say_how_clocks_agree(const observation::EventReader &events) {
    const observation::Alignment &alignment = events.alignment();
    if (events.hosts().size() == 1)
        return;
    if (alignment.is_bounded)
        mpiexec::say(
            "the clocks of {} hosts are aligned by the messages between them, to {:.1f} us",
            events.hosts().size(), alignment.error_ns * 1e-3);
    else
        mpiexec::say("the clocks of {} hosts are those of their systems: between some of them no "
                     "messages went both ways, by which they could be aligned",
                     events.hosts().size());
}

void say_remarks(const observation::EventReader &events) {
    say_what_is_missing(events);
    say_how_clocks_agree(events);
}

} // namespace trace
