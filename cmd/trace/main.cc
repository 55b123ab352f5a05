// trace DIRECTORY FILE: writes the trace of `mpiexec --trace FILE` from what the job's processes
// have noted. It ends in .json or .pftrace, which says its format; trace_otf2 (otf2/) writes
// archives.
#include "formats.h"
#include "plan/message.h"
#include "remarks.h"

#include <csignal>
#include <exception>
#include <filesystem>
#include <string>

int main(int argc, char **argv) {
    mpiexec::speaker = "mpiexec: --trace";
    if (argc != 3) {
        mpiexec::say("the program trace needs a directory and a file");
        return 2;
    }
    const std::string path = argv[2];
    std::signal(SIGPIPE, SIG_IGN); // a broken pipe is an error of write()
    try {
        const observation::EventReader events(argv[1], trace::symbolizer());
        if (path.ends_with(".json"))
            trace::write_chrome(events, path);
        else
            trace::write_perfetto(events, path);
        trace::say_remarks(events);
    } catch (const std::exception &error) {
        mpiexec::say("{}", error.what());
        return 1;
    }
}
