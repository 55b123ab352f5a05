// The options of other launchers (command_line/habits.h). To support one, add a row.
#include "command_line/habits.h"

#include <fmt/core.h>
#include <sstream>
#include <utility>

namespace mpiexec {
namespace {

using enum HabitAction;

constexpr const char *open_mpi = "Open MPI", *hydra = "MPICH", *intel = "Intel MPI", *srun = "srun",
                     *standard = "MPI standard", *both = "Open MPI, MPICH", *all = "all";
constexpr const char *debugger =
    "mpiexec -n 4 gdb ./program debugs all ranks in one session (docs/debugging.md)";
constexpr const char *elsewhere = "list with --hosts only the hosts that run ranks";
constexpr const char *cores_of_rank =
    "ranks share the cores; set the cores of processes by --bind-to and --ranks-per-process";
constexpr const char *tuning = "tunes another MPI; thrum info lists the settings of this one";
constexpr const char *one_kind = "mpiexec itself starts the ranks, as threads or processes";
constexpr const char *report = "mpiexec always reports how a job ends";
constexpr const char *resources = "mpiexec allocates no resources: ask the batch system";

// The rows, in the order of the page: what people type most comes first in its group.
constexpr Habit habits[] = {
    // How many ranks, and where
    {"n np", all, 1, Same, "number of ranks"},
    {"ntasks", srun, 1, Translate, "-n $1"},
    {"c", open_mpi, 1, Translate, "--copies $1"},
    {"host H", both, 1, Same,
     "the hosts; hosts without a number of slots take as many ranks as needed"},
    {"hosts", hydra, 1, Same, "as --host"},
    {"hostlist", hydra, 1, Translate, "--hosts $1"},
    {"nodelist w", srun, 1, Translate, "--hosts $1"},
    {"hostfile machinefile", both, 1, Same, "a file of hosts; slots= and max_slots= are read"},
    {"f", hydra, 1, Same, "as --hostfile"},
    {"default-hostfile", open_mpi, 1, Translate, "--hostfile $1"},
    {"machine machines machinelist", hydra, 1, Translate, "--hostfile $1"},
    {"ppn", hydra, 1, Same, "ranks on each host"},
    {"npernode", open_mpi, 1, Same, "as -ppn"},
    {"N", open_mpi, 1, Translate, "--ppn $1"},
    {"perhost", intel, 1, Translate, "--ppn $1"},
    {"grr", intel, 1, Translate, "--ppn $1"},
    {"ntasks-per-node", srun, 1, Translate, "--ppn $1"},
    {"pernode", open_mpi, 0, Translate, "--ppn 1"},
    {"rr", intel, 0, Translate, "--map-by node"},
    {"npersocket", open_mpi, 1, Translate, "--map-by ppr:$1:socket"},
    {"ppr", open_mpi, 1, Translate, "--map-by ppr:$1"},
    {"nodes", srun, 1, Ignore, "name the hosts with --hosts"},
    {"map-by", both, 1, Same,
     "slot, node, core, socket, numa, hwthread, ppr:N:OBJECT; the modifiers OVERSUBSCRIBE, "
     "NOOVERSUBSCRIBE, SPAN and DISPLAY; PE=N is ignored"},
    {"byslot", open_mpi, 0, Translate, "--map-by slot"},
    {"bynode", open_mpi, 0, Translate, "--map-by node"},
    {"bycore", open_mpi, 0, Translate, "--map-by core"},
    {"bysocket", open_mpi, 0, Translate, "--map-by socket"},
    {"map-by-node", open_mpi, 0, Translate, "--map-by node"},
    {"rank-by", open_mpi, 1, Ignore, "ranks are numbered in the order in which --map-by puts them"},
    {"rankmap", hydra, 1, Refuse, "use --rankfile FILE"},
    {"rankfile", open_mpi, 1, Same, "a host and cores for each process"},
    {"rf", open_mpi, 1, Translate, "--rankfile $1"},
    {"bind-to", both, 1, Same,
     "none, core, socket, numa, hwthread (also package); ignored if ranks are threads of one "
     "process, except none"},
    {"bind-to-core", open_mpi, 0, Translate, "--bind-to core"},
    {"bind-to-socket", open_mpi, 0, Translate, "--bind-to socket"},
    {"bind-to-none", open_mpi, 0, Translate, "--bind-to none"},
    {"binding", hydra, 1, Translate, "--bind-to $1"},
    {"report-bindings", open_mpi, 0, Same, "shows where each process may run"},
    {"display-map display-allocation display-devel-allocation display-devel-map "
     "display-diffable-map display-topo",
     open_mpi, 0, Translate, "--report-bindings"},
    {"display", open_mpi, 1, Translate, "--report-bindings"},
    {"print-rank-map", intel, 0, Translate, "--report-bindings"},
    {"cpu-bind", srun, 1, Ignore, "use --bind-to"},
    {"cpu-set cpu-list", open_mpi, 1, Refuse,
     "taskset -c LIST mpiexec ... restricts the whole job, --rankfile FILE each process"},
    {"slot-list", open_mpi, 1, Refuse, "use --rankfile FILE"},
    {"use-hwthread-cpus", open_mpi, 0, Accept, "all hardware threads are used anyway"},
    {"cpus-per-proc cpus-per-rank", open_mpi, 1, Ignore, cores_of_rank},
    {"cpus-per-task", srun, 1, Ignore, cores_of_rank},
    {"membind", hydra, 1, Ignore, "use numactl --membind=NODES mpiexec ..."},
    {"gpus-per-proc", hydra, 1, Ignore, "devices are not assigned to ranks"},
    {"oversubscribe", open_mpi, 0, Translate, "--oversubscribe"},
    {"overcommit O", srun, 0, Translate, "--oversubscribe"},
    {"nooversubscribe", open_mpi, 0, Accept, "slots are never exceeded without --oversubscribe"},
    {"nolocal", "Open MPI, Intel MPI", 0, Refuse, elsewhere},
    {"skip-launch-node", hydra, 0, Refuse, elsewhere},
    {"soft", standard, 1, Refuse, "the number of ranks must be given as one number, with -n"},
    {"arch", standard, 1, Refuse, "all hosts have the same architecture; leave the option out"},
    {"exclusive", srun, 0, Ignore, resources},
    {"time t", srun, 1, Ignore, "--timeout SECONDS limits a job"},
    {"mem mem-per-cpu gres gpus partition p account A job-name J qos", srun, 1, Ignore, resources},

    // The environment and the working directory
    {"x", open_mpi, 1, Same, "sets VAR=VALUE for all ranks; all variables are passed anyway"},
    {"genv", hydra, 2, Translate, "-x $1=$2"},
    {"genvlist", hydra, 1, Translate, "--pass $1"},
    {"env", hydra, 2, Translate, "--set-env $1=$2"},
    {"envlist", hydra, 1, Translate, "--pass $1"},
    {"genvall envall", hydra, 0, Accept, "all variables are passed"},
    {"genvexcl envexcl", intel, 1, Ignore, "all variables are passed; env -u VAR mpiexec ..."},
    {"genvnone envnone", hydra, 0, Ignore, "all variables are passed; env -i mpiexec ..."},
    {"export", srun, 1, Ignore, "all variables are passed; -x VAR=VALUE sets one"},
    {"wdir", all, 1, Same, "the working directory"},
    {"wd", open_mpi, 1, Translate, "--wdir $1"},
    {"dir", hydra, 1, Translate, "--wdir $1"},
    {"chdir D", srun, 1, Translate, "--wdir $1"},
    {"umask", intel, 1, Refuse, "set it first: umask MODE; mpiexec ..."},
    {"path", all, 1, Same, "directories in which to look for the program"},
    {"set-cwd-to-session-dir", open_mpi, 0, Refuse, "use --wdir DIR"},
    {"preload-binary s", open_mpi, 0, Refuse,
     "programs are not copied: install them in the same place on all hosts. (-s of Intel MPI: use "
     "--stdin RANK)"},
    {"preload-files", open_mpi, 1, Refuse, "files are not copied: put them on all hosts"},

    // Input and output
    {"stdin", open_mpi, 1, Same, "the rank that reads standard input, none or all"},
    {"prepend-rank l", hydra, 0, Translate, "--prefix"},
    {"tag-output", open_mpi, 0, Translate, "--prefix"},
    {"label", srun, 0, Translate, "--prefix"},
    {"prefix", open_mpi, 0, Same,
     "begins each line with its rank; followed by a directory, as with Open MPI, it is ignored: "
     "Thrum needs no prefix"},
    {"noprefix", open_mpi, 0, Accept, "mpiexec never looks for another installation"},
    {"prepend-pattern", hydra, 1, Refuse, "use --prefix"},
    {"output-filename", open_mpi, 1, Translate, "--output-dir $1"},
    {"output", "Open MPI, srun", 1, Translate, "--output-as $1"},
    {"outfile-pattern outfile errfile-pattern errfile output-from", hydra, 1, Refuse,
     "use --output-dir DIR, which has a file for each rank"},
    {"error e", srun, 1, Refuse, "use --output-dir DIR, which has a file for each rank"},
    {"o", srun, 1, Refuse, "use --output-dir DIR, or > FILE"},
    {"merge-stderr-to-stdout", open_mpi, 0, Translate, "--merge-stderr"},
    {"ordered-output", intel, 0, Accept, "lines of ranks never mix"},
    {"timestamp-output", open_mpi, 0, Ignore, "use mpiexec ... | ts (package moreutils)"},
    {"xml", open_mpi, 0, Refuse, "output is text; --output-dir DIR keeps ranks apart"},
    {"xml-file", open_mpi, 1, Refuse, "output is text; --output-dir DIR keeps ranks apart"},
    {"unbuffered u", srun, 0, Accept, "lines are forwarded when they are written"},
    {"quiet q", open_mpi, 0, Translate, "--quiet"},
    {"silent-abort", intel, 0, Translate, "--quiet"},
    {"verbose v", both, 0, Translate, "--verbose"},
    {"debug-daemons d debug-devel", open_mpi, 0, Translate, "--verbose"},
    {"show-progress", open_mpi, 0, Translate, "--verbose"},

    // The job's life
    {"timeout", open_mpi, 1, Same, "ends the job after X seconds"},
    {"maxtime", hydra, 1, Translate, "--timeout $1"},
    {"get-stack-traces report-state-on-timeout", open_mpi, 0, Accept,
     "--timeout reports where each rank is"},
    {"kill-on-bad-exit K", srun, 0, Accept, "a rank that fails ends the job"},
    {"disable-auto-cleanup enable-auto-cleanup", hydra, 0, Ignore,
     "a rank that fails ends the job"},
    {"continuous enable-recovery", open_mpi, 0, Ignore, "a rank that fails ends the job"},
    {"disable-recovery", open_mpi, 0, Accept, "a rank that fails ends the job"},
    {"max-restarts", open_mpi, 1, Ignore, "a rank that fails ends the job"},
    {"print-all-exitcodes exitinfo", hydra, 0, Ignore, report},
    {"report-events report-pid report-uri", open_mpi, 1, Ignore, report},
    {"report-child-jobs-separately", open_mpi, 0, Ignore, report},
    {"usize", hydra, 1, Translate, "--universe-size $1"},
    {"initial-errhandler", standard, 1, Same, "the initial error handler of the ranks"},
    {"memory-alloc-kinds", standard, 1, Ignore, "the kinds are mpi and system"},
    {"configfile", all, 1, Same, "program specifications, one per line"},
    {"app", open_mpi, 1, Translate, "--configfile $1"},
    {"file", standard, 1, Refuse, "-configfile FILE lists programs, --hostfile FILE hosts"},
    {"spawn", "Thrum", 0, Same, "a single rank may spawn others"},
    {"allow-run-as-root", open_mpi, 0, Accept, "root may run jobs"},
    {"help h", all, 0, Same, "the list of options"},
    {"version V", all, 0, Same, "the version"},
    {"info", hydra, 0, Translate, "--version"},

    // Debuggers and tools
    {"debug tv", open_mpi, 0, Refuse, debugger},
    {"debugger", open_mpi, 1, Refuse, debugger},
    {"gdb gdba tvsu ddt", intel, 0, Refuse, debugger},
    {"xterm", open_mpi, 1, Refuse, debugger},
    {"gtool gtoolfile", intel, 1, Refuse,
     "put the tool before the program: mpiexec -n 4 valgrind ./program"},
    {"check_mpi", intel, 0, Accept, "programs are always checked while they run"},
    {"trace", intel, 1, Same, "a file for the trace: FILE.json, FILE.pftrace or FILE.otf2"},
    {"trace-imbalance trace-pt2pt trace-collectives", intel, 0, Refuse,
     "preload the tool's library, as docs/tools.md says"},
    {"profile", hydra, 0, Ignore, "the launcher has no profile"},
    {"aps mps", intel, 0, Refuse, "put the tool before the program: mpiexec -n 4 aps ./program"},

    // How processes are reached, and settings of other MPIs
    {"launcher", hydra, 1, Same, "ssh or fork"},
    {"launcher-exec", hydra, 1, Same, "a command to use instead of ssh"},
    {"bootstrap-exec", hydra, 1, Translate, "--launcher-exec $1"},
    {"rsh-agent", open_mpi, 1, Translate, "--launcher-exec $1"},
    {"bootstrap", hydra, 1, Ignore, "hosts are reached by ssh (--launcher)"},
    {"bootstrap-exec-args", intel, 1, Refuse, "use --launcher-exec \"COMMAND ARGUMENTS\""},
    {"mca", open_mpi, 2, Ignore, tuning},
    {"gmca omca prtemca pmixmca gpmixmca oshmca gprtemca", open_mpi, 2, Ignore, tuning},
    {"am tune", open_mpi, 1, Ignore, tuning},
    {"mpi", srun, 1, Ignore, one_kind},
    {"iface", hydra, 1, Ignore, "THRUM_FABRIC chooses the network (docs/between_processes.md)"},
    {"rdma RDMA dapl DAPL ib IB psm PSM psm2 PSM2 ofi OFI ucx UCX mx MX tmi TMI gm GM tcp TCP",
     intel, 0, Ignore, "THRUM_FABRIC chooses the network (docs/between_processes.md)"},
    {"rmk", hydra, 1, Ignore, "under Slurm use srun --mpi=pmix; otherwise give --hosts"},
    {"demux topolib", hydra, 1, Ignore, one_kind},
    {"enable-x disable-x pmi-port hybrid-hosts disable-hostname-propagation", hydra, 0, Ignore,
     one_kind},
    {"localhost nameserver order-nodes branch-count pmi-connect", hydra, 1, Ignore, one_kind},
    {"no-autodetect noconf tune-conf use-app-topology ilp64 v6 nocleanup cleanup", intel, 0, Ignore,
     one_kind},
    {"tmpdir", intel, 1, Ignore, "set TMPDIR"},
    {"dvm", open_mpi, 0, Ignore, one_kind},
    {"personality launch-agent max-vm-size hnp dvm-uri prtemca-file", open_mpi, 1, Ignore,
     one_kind},
    {"ompi-server", open_mpi, 1, Ignore, "published names are known to the whole job"},
    {"novm leave-session-attached do-not-resolve use-regexp output-proctable terminate "
     "debug-daemons-file enable-instant-on-support stream-buffering fwd-mpirun-port "
     "forward-signals",
     open_mpi, 0, Ignore, one_kind},
    {"cf cartofile", open_mpi, 1, Ignore, "hwloc detects the hardware"},
    {"do-not-launch", open_mpi, 0, Refuse, "--report-bindings shows the mapping of a running job"},
    {"index-argv-by-rank", open_mpi, 0, Refuse, "use colons: mpiexec -n 1 ./a 0 : -n 1 ./a 1"},
};

// Returns the name without dashes and value.
std::string stem_of(const std::string &word) {
    const size_t start = word.find_first_not_of('-');
    if (start == std::string::npos)
        return "";
    return word.substr(start, word.find('=') - start);
}

std::vector<std::string> split(const std::string &text) {
    std::istringstream words(text);
    std::vector<std::string> parts;
    for (std::string word; words >> word;)
        parts.push_back(word);
    return parts;
}

// Returns an option as its launcher spells it, for the table.
std::string spelled(const std::string &name, const Habit &habit) {
    const bool hydras = habit.source == hydra || habit.source == intel || name.size() == 1;
    std::string text = (hydras ? "-" : "--") + name;
    for (int i = 0; i < habit.values; ++i)
        text += habit.values == 2 ? (i ? " VALUE" : " NAME") : " X";
    return text;
}

// The options of mpiexec that exist only for this table, and what they do.
constexpr std::pair<const char *, const char *> hidden_options[] = {
    {"--copies", "as `-n X`; beside `-n` it is ignored, with a note"},
    {"--pass", "all variables are passed anyway; a note names missing ones"},
    {"--set-env", "sets the variable for the ranks of this program only"},
    {"--output-as", "tag, merge and dir=DIR as `--prefix`, `--merge-stderr` and `--output-dir "
                    "DIR`, separated by commas; anything else is refused"},
};

// Returns the text of the table for a row.
std::string what_happens(const Habit &habit) {
    std::string text = habit.text;
    for (const auto &[option, meaning] : hidden_options)
        if (text.starts_with(option))
            return meaning;
    for (const auto &[sign, word] : {std::pair{"$1=$2", "NAME=VALUE"}, {"$1", "X"}})
        if (const size_t at = text.find(sign); at != std::string::npos)
            text.replace(at, std::string(sign).size(), word);
    switch (habit.action) {
    case Same:
        return "the same: " + text;
    case Translate:
        return fmt::format("as `{}`", text);
    case Accept:
        return "accepted: " + text;
    case Ignore:
        return "ignored, with a note: " + text;
    case Refuse:
        return "refused: " + text;
    }
    return text;
}

} // namespace

const Habit *find_habit(const std::string &word) {
    const std::string name = stem_of(word);
    if (name.empty() || (name.size() == 1 && word[1] == '-'))
        return nullptr;
    for (const Habit &habit : habits)
        for (const std::string &known : split(habit.names))
            if (known == name && habit.action != Same)
                return &habit;
    return nullptr;
}

std::vector<std::string> translate(const Habit &habit, const std::vector<std::string> &values) {
    std::vector<std::string> words = split(habit.text);
    for (std::string &word : words) {
        std::string filled;
        for (size_t i = 0; i < word.size(); ++i) {
            if (word[i] == '$')
                filled += values[static_cast<size_t>(word[++i] - '1')];
            else
                filled += word[i];
        }
        word = filled;
    }
    return words;
}

std::vector<std::string> names_of_habits() {
    std::vector<std::string> names;
    for (const Habit &habit : habits)
        for (const std::string &name : split(habit.names))
            names.push_back(name);
    return names;
}

std::string table_of_habits() {
    std::string text = "| option | of | here |\n|---|---|---|\n";
    for (const Habit &habit : habits) {
        std::string names;
        for (const std::string &name : split(habit.names))
            names += fmt::format("{}`{}`", names.empty() ? "" : ", ", spelled(name, habit));
        text += fmt::format("| {} | {} | {} |\n", names, habit.source, what_happens(habit));
    }
    return text;
}

} // namespace mpiexec
