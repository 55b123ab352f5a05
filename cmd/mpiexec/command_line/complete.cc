// Completes and checks options (command_line/complete.h).
#include "command_line/complete.h"

#include "command_line/mapping.h"
#include "plan/usage_error.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>

namespace mpiexec {
namespace {

UsageError wrong(const std::string &text) {
    return {2, text};
}

// Returns the name by which the hosts list this machine.
std::string this_machine_among(const std::vector<Host> &hosts) {
    for (const Host &host : hosts)
        if (is_this_machine(host.name))
            return host.name;
    return name_of_this_machine();
}

long count_slots(const std::vector<Host> &hosts) {
    long slots = 0;
    for (const Host &host : hosts)
        slots += host.slots;
    return slots;
}

// Gives hosts more slots if there are more ranks. They are shared equally by the hosts for which
// the user has given no number of slots, as MPICH does; with --oversubscribe by all. max_slots is
// never exceeded. What is still missing make_plan() reports.
void widen_hosts(Options &options) {
    std::vector<Host *> open;
    for (Host &host : options.hosts)
        if (!host.slots_given || options.oversubscribe)
            open.push_back(&host);
    for (long missing = count_ranks(options) - count_slots(options.hosts);
         missing > 0 && !open.empty();) {
        std::erase_if(open, [](const Host *host) {
            return host->slots_max > 0 && host->slots >= host->slots_max;
        });
        const auto count = static_cast<long>(open.size());
        for (long i = 0; i < count && missing > 0; ++i) {
            Host &host = *open[static_cast<size_t>(i)];
            long more = (missing + count - 1 - i) / (count - i);
            if (host.slots_max > 0)
                more = std::min<long>(more, host.slots_max - host.slots);
            host.slots += static_cast<int>(more);
            missing -= more;
        }
    }
}

// Adds notes about options that change nothing in this job.
void note_what_has_no_effect(Options &options) {
    if (options.hosts.empty() && options.ranks_per_host > 0 &&
        options.ranks_per_host != count_ranks(options))
        options.notes.push_back(fmt::format("--ppn {} (there is one host: it runs all {} ranks)",
                                            options.ranks_per_host, count_ranks(options)));
    const bool deals_cores =
        options.map_by == "core" || options.map_by == "socket" || options.map_by == "numa";
    if (deals_cores && (options.bind_to.empty() || options.bind_to == "none"))
        options.notes.push_back(fmt::format(
            "--map-by {} (it assigns cores, but no process is bound to cores without --bind-to)",
            options.map_by));
    const bool makes_many_runs = options.fuzz.seeds > 0 || options.explore.orders_max > 0;
    if (!options.fuzz.compares_output && !makes_many_runs)
        options.notes.push_back("--fuzz-compare (without --fuzz or --explore nothing is compared)");
    if (options.explore.time_s > 0 && options.explore.orders_max == 0)
        options.notes.push_back("--explore-time (without --explore the job runs once)");
    if (options.trace.file.empty() &&
        (options.trace.limit_bytes > 0 || options.trace.keep_is_given))
        options.notes.push_back(
            fmt::format("{} (without --trace there is no trace)",
                        options.trace.keep_is_given ? "--trace-keep" : "--trace-limit"));
    if (options.merge_stderr && !options.value_of("output_dir").empty())
        options.notes.push_back("--merge-stderr (--output-dir keeps a file for each stream)");
}

// Checks the options beside --fuzz or --explore, which makes many runs.
void check_many_runs(const Options &options, const char *option) {
    const char *other = options.processes               ? "--processes"
                        : options.ranks_per_process > 0 ? "--ranks-per-process"
                        : !options.hosts.empty()        ? "--hosts"
                        : !options.rank_file.empty()    ? "--rankfile"
                                                        : nullptr;
    if (other)
        throw wrong(fmt::format("{} chooses the schedules of jobs of one process: leave out either "
                                "it or {}",
                                option, other));
    if (!options.value_of("output_dir").empty())
        throw wrong(fmt::format("{} compares standard output, and runs would share the files of "
                                "--output-dir: leave out one of the two",
                                option));
    const char *of_one_run =
        !options.value_of("replay").empty() ? "--replay" : observing_option(options);
    if (of_one_run)
        throw wrong(fmt::format("{} makes many runs, but {} is for one: leave out one of the two",
                                option, of_one_run));
}

// The observations of processes on other hosts cannot be read while they run.
void check_live_view(const Options &options) {
    const char *option = live_option(options);
    if (option && !options.hosts.empty())
        throw wrong(fmt::format("{} is for jobs on this machine: leave --hosts out", option));
}

void check_fuzz(const Options &options) {
    check_many_runs(options, "--fuzz");
    if (!options.value_of("record").empty())
        throw wrong("--fuzz makes many runs, but --record is for one: leave out one of the two");
}

// --record names where --explore leaves the record of the order that goes wrong.
void check_explore(const Options &options) {
    check_many_runs(options, "--explore");
    if (options.fuzz.seeds > 0)
        throw wrong("--explore tries orders of messages, --fuzz schedules: leave out one of the "
                    "two");
    if (!options.value_of("seed").empty())
        throw wrong("--explore runs all orders with the plain schedule: leave --seed out");
    if (options.value_of("threads") == "os")
        throw wrong("--explore is for ranks that share one worker: leave --threads=os out");
}

// Checks --record and --replay. What else is wrong with their directories is seen by the ranks,
// which may run on other hosts.
void check_record(const Options &options) {
    const std::string directory = options.value_of("record");
    if (directory.empty())
        return;
    if (!options.value_of("replay").empty())
        throw wrong("--replay would only record the same run again: leave out either it or "
                    "--record");
    std::error_code error;
    const bool is_directory = std::filesystem::is_directory(directory, error);
    if (std::filesystem::exists(directory, error) &&
        !(is_directory && std::filesystem::is_empty(directory, error)))
        throw wrong(fmt::format("--record {}: a record needs a new directory, but this one is {}",
                                directory, is_directory ? "not empty" : "a file"));
}

} // namespace

void check_together(const Options &options) {
    if (options.fuzz.seeds > 0)
        check_fuzz(options);
    if (options.explore.orders_max > 0)
        check_explore(options);
    check_record(options);
    check_live_view(options);
    if (options.processes && options.ranks_per_process > 1)
        throw wrong("--processes means one rank in each process; leave out either it or "
                    "--ranks-per-process");
    if (!options.rank_file.empty() && !(options.bind_to + options.map_by).empty())
        throw wrong("--rankfile says where each process runs: leave --bind-to and --map-by out");
    if ((options.processes || options.ranks_per_process > 0) && options.is_on("spawn") &&
        options.hosts.empty())
        throw wrong("--spawn is for jobs of one process; leave out either it or --processes");
    if (!options.hosts.empty() && options.value_of("stdin") == "all")
        throw wrong(
            "--stdin all works only for ranks of one machine; name a rank, or leave --hosts out");
}

// Without -n, the hosts are filled.
void complete(Options &options) {
    if (!options.rank_file.empty())
        options.rank_places = read_rank_file(options.rank_file);
    for (RankPlace &place : options.rank_places)
        if (is_this_machine(place.host))
            place.host = this_machine_among(options.hosts);
    if (!options.ranks_per_object.empty())
        options.ranks_per_host = count_by_objects(options.ranks_per_object);
    for (Host &host : options.hosts)
        if (options.ranks_per_host > 0) {
            host.slots = options.ranks_per_host;
            host.slots_given = true;
        }
    ProgramSpec &only = options.programs[0];
    if (options.programs.size() == 1 && !only.ranks_given) {
        if (options.hosts.empty() && options.ranks_per_host > 0)
            only.ranks = options.ranks_per_host;
        else if (!options.hosts.empty())
            only.ranks = static_cast<int>(std::min<long>(count_slots(options.hosts), INT_MAX));
    }
    widen_hosts(options);
    note_what_has_no_effect(options);
}

} // namespace mpiexec
