// What the user asks for on the command line (MPI 5.0 section 11.5), checked. command_line/ fills
// it in; agents get a copy of it (agents/job_description.cc).
#pragma once
#include "base/setting_table.h"
#include "plan/hosts.h"
#include "plan/rank_file.h"

#include <map>
#include <string>
#include <vector>

namespace mpiexec {

// One program of the job. Several make an MPMD job; their ranks follow one another in this order.
struct ProgramSpec {
    int ranks = 1;
    bool ranks_given = false; // by -n
    int copies = 0;           // by -c of Open MPI: counts only without -n
    std::string working_dir;  // empty: mpiexec's own
    std::string search_path;  // -path: directories, colon-separated, to look in before PATH
    std::vector<std::string> environment; // NAME=VALUE, of this program's ranks alone
    std::vector<std::string> argv;        // as typed
    // Found by start/program.h: the file to execute, and why its ranks cannot share a process ("":
    // they can).
    std::string path;
    std::string refusal;
    // The front that it needs, by its library for C (image/foreign_mpi.h); "": the standard ABI's
    // library.
    std::string front;
    bool is_script = false;    // begins with #!
    bool is_launcher = false;  // needs no MPI itself; what it executes may
    bool has_openblas = false; // one of its libraries is OpenBLAS with threads
    // Whether it is a launcher that runs once for all ranks of a process: they become threads of
    // each MPI program that it starts (start/session.h).
    bool is_passed = false;
};

// What --fuzz asks for (fuzz/fuzz.h).
struct FuzzOptions {
    int seeds = 0;               // 0: the job runs once, as without --fuzz
    bool compares_output = true; // not only exit codes; of --explore, too
};

// What --explore asks for (explore/explore.h).
struct ExploreOptions {
    static constexpr int usual_orders_max = 10'000;

    int orders_max = 0; // 0: the job runs once, as without --explore
    double time_s = 0;  // 0: no limit
};

// The options of the whole job, and its programs.
struct Options {
    // Settings (base/settings.ini) of the command line, and of the environment, by their names. The
    // values are valid, and paths are absolute.
    std::map<std::string, std::string> given_settings, environment_settings;
    bool quiet = false;                 // no notes
    bool verbose = false;               // says what is started
    bool merge_stderr = false;          // standard error goes where standard output goes
    bool oversubscribe = false;         // hosts take more ranks than they have slots
    std::string ranks_per_object;       // --map-by ppr:N:OBJECT, as "N:OBJECT"
    std::vector<std::string> notes;     // about options that are ignored
    bool processes = false;             // asked for, or the only way in which a program runs
    std::string bind_to, map_by;        // empty: the system decides
    std::string rank_file;              // path; empty: none
    std::vector<RankPlace> rank_places; // the lines of rank_file
    bool report_bindings = false;       // prints where each process may run
    std::vector<Host> hosts;            // empty: this machine
    int ranks_per_host = 0;             // slots of every host, if it is not 0
    int ranks_per_process = 0;          // 0: one, where there are several processes
    double timeout_s = 0;               // 0: none; also from MPIEXEC_TIMEOUT
    std::string report;                 // page that is written at the end; "": none
    bool top = false;                   // show in the terminal what the ranks do
    int live_port = -1;                 // of the page that shows it, 0: a free one; -1: none
    FuzzOptions fuzz;
    ExploreOptions explore;
    size_t option_words = 0;          // words of the command line before the first program
    std::vector<std::string> exports; // VAR or VAR=VALUE
    std::vector<ProgramSpec> programs;

    struct Trace {
        std::string file;       // that is written at the end; "": none
        size_t limit_bytes = 0; // of the events of all ranks; 0: not given
        bool keeps_last = false;
        bool keep_is_given = false;
        std::string request; // what the processes are told (start/observed_job.h); "": no trace
    } trace;

    // Returns whether the command line gives the setting.
    bool is_given(const char *setting) const {
        return given_settings.contains(thrum::find_setting(setting).name);
    }

    // Returns the value of a setting: of the command line, or else of the environment. "": neither
    // has one, so the library decides.
    std::string value_of(const char *setting) const {
        const char *name = thrum::find_setting(setting).name;
        const auto &values = is_given(name) ? given_settings : environment_settings;
        auto found = values.find(name);
        return found == values.end() ? "" : found->second;
    }

    // Returns the value of a switch.
    bool is_on(const char *setting) const { return value_of(setting) == "1"; }
};

// Counts the ranks of all programs.
inline int count_ranks(const Options &options) {
    int ranks = 0;
    for (const ProgramSpec &spec : options.programs)
        ranks += spec.ranks;
    return ranks;
}

// Returns the option that asks for a view of the running job; nullptr: none does.
inline const char *live_option(const Options &options) {
    return options.top ? "--top" : options.live_port >= 0 ? "--live" : nullptr;
}

// Returns an option that asks for observed ranks; nullptr: none does.
inline const char *observing_option(const Options &options) {
    return !options.report.empty()       ? "--report"
           : !options.trace.file.empty() ? "--trace"
                                         : live_option(options);
}

} // namespace mpiexec
