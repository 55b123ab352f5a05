// MPI_Comm_spawn and MPI_Comm_spawn_multiple (MPI 5.0 section 11.8): new ranks of this process,
// which run images of the named programs.
//
//     root    make_ranks(), add_processes()     images, fibers, MPI_COMM_WORLD; nothing runs yet
//     all     create_together()                 the inter-communicator, in parents and children
//     root    start_ranks()
#include "comm/process.h"
#include "mpi/calls.h"
#include "mpi/creation.h"
#include "mpi/entry.h"
#include "rank/added.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <strings.h>
#include <sys/stat.h>
#include <sys/utsname.h>

namespace thrum::mpi {
namespace {

// What the root was asked for.
struct Commands {
    int count;
    const char *const *names;
    char **const *arguments; // MPI_ARGVS_NULL: none
    const int *maxprocs;
    const MPI_Info *infos;
};

// What it makes of that.
struct Plan {
    std::vector<ProgramSpecification> programs;
    std::vector<Errhandler *> errhandlers; // initial ones, by program
    std::vector<int> numbers;              // MPI_APPNUM, by program
    std::vector<int> codes;                // array_of_errcodes
    std::vector<Rank *> ranks;
};

struct SpawnProposal : Proposal {
    Plan *plan = nullptr;                    // the root's
    std::shared_ptr<std::vector<int>> codes; // of the builder
};

// One of the triplets of `soft`: a, a:b or a:b:c. Calls allow(n) for each number up to `maximum`.
template <class Allow>
bool read_triplet(const std::string &text, int maximum, Allow allow) {
    long part[3] = {0, 0, 1};
    int parts = 0;
    const char *at = text.c_str();
    for (; parts < 3; ++parts) {
        char *end = nullptr;
        part[parts] = std::strtol(at, &end, 10);
        if (end == at)
            return false;
        at = end;
        if (*at != ':')
            break;
        ++at;
    }
    if (*at || parts == 3)
        return false;
    if (parts == 0)
        part[1] = part[0];
    if (part[2] == 0)
        return false;
    for (long n = part[0]; part[2] > 0 ? n <= part[1] : n >= part[1]; n += part[2]) {
        if (n >= 0 && n <= maximum)
            allow(static_cast<int>(n));
        if (part[2] > 0 && n > maximum)
            break;
    }
    return true;
}

// The largest number of ranks that `soft` allows; -1: none.
Error largest_allowed(const std::string &soft, int maxprocs, int &largest) {
    largest = -1;
    for (size_t begin = 0; begin <= soft.size();) {
        size_t end = std::min(soft.find(',', begin), soft.size());
        std::string triplet = soft.substr(begin, end - begin);
        if (!read_triplet(triplet, maxprocs, [&](int n) { largest = std::max(largest, n); }))
            return fail(MPI_ERR_INFO_VALUE,
                        "soft of info is \"%s\", but must be triplets a, a:b or a:b:c",
                        soft.c_str());
        begin = end + 1;
    }
    return success;
}

Error check_place(const Info &info) {
    utsname machine{};
    ::uname(&machine);
    const std::string *host = info.get("host");
    if (host && *host != machine.nodename && *host != "localhost")
        return fail(MPI_ERR_SPAWN, "host of info is \"%s\", but ranks live in this process, on %s",
                    host->c_str(), machine.nodename);
    const std::string *arch = info.get("arch");
    if (arch && *arch != machine.machine)
        return fail(MPI_ERR_SPAWN, "arch of info is \"%s\", but this is %s", arch->c_str(),
                    machine.machine);
    return success;
}

Error read_directory(const Info &info, std::string &directory) {
    const std::string *wanted = info.get("wdir");
    if (!wanted)
        return success;
    char *real = ::realpath(wanted->c_str(), nullptr);
    struct stat status;
    if (!real || ::stat(real, &status) != 0 || !S_ISDIR(status.st_mode)) {
        const char *why = real ? "not a directory" : std::strerror(errno);
        Error error = fail(MPI_ERR_SPAWN, "wdir of info is \"%s\": %s", wanted->c_str(), why);
        std::free(real);
        return error;
    }
    directory = real;
    std::free(real);
    return success;
}

Error read_errhandler(const Info &info, Errhandler *&errhandler) {
    const std::string *name = info.get("mpi_initial_errhandler");
    if (!name)
        return success;
    errhandler = find_predefined_errhandler(name->c_str());
    return errhandler ? success
                      : fail(MPI_ERR_INFO_VALUE,
                             "mpi_initial_errhandler of info is \"%s\", but must be "
                             "mpi_errors_are_fatal, mpi_errors_abort or mpi_errors_return",
                             name->c_str());
}

Error read_appnum(const Info &info, int &number) {
    const std::string *text = info.get("appnum");
    if (!text)
        return success;
    char *end = nullptr;
    long value = std::strtol(text->c_str(), &end, 10);
    if (end == text->c_str() || *end || value < INT_MIN || value > INT_MAX)
        return fail(MPI_ERR_INFO_VALUE, "appnum of info is \"%s\", which is no number",
                    text->c_str());
    number = static_cast<int>(value);
    return success;
}

Error plan_command(const Commands &commands, int i, Plan &plan) {
    const char *name = commands.names[i];
    int maxprocs = commands.maxprocs[i];
    if (!name)
        return fail(MPI_ERR_ARG, "command number %d is a null pointer", i);
    if (maxprocs < 0)
        return fail(MPI_ERR_ARG, "maxprocs is %d, but must not be negative", maxprocs);
    Info *info;
    if (Error error = named_info("info", commands.infos[i], info))
        return error;
    ProgramSpecification program;
    Errhandler *errhandler = &errors_are_fatal;
    int number = i;
    program.ranks = maxprocs;
    std::string directories;
    if (info) {
        Error error = check_place(*info);
        if (!error)
            error = read_directory(*info, program.directory);
        if (!error)
            error = read_errhandler(*info, errhandler);
        if (!error)
            error = read_appnum(*info, number);
        if (const std::string *soft = info->get("soft"); soft && !error)
            error = largest_allowed(*soft, maxprocs, program.ranks);
        if (!error && program.ranks < 0)
            error = fail(MPI_ERR_SPAWN, "soft of info allows no number of ranks from 0 to %d",
                         maxprocs);
        if (error)
            return error;
        if (const std::string *path = info->get("path"))
            directories = *path;
    }
    std::string why;
    program.path = find_executable(name, directories, why);
    if (program.path.empty())
        return fail(MPI_ERR_SPAWN, "command is \"%s\": %s", name, why.c_str());
    program.arguments.push_back(name);
    char **arguments = commands.arguments ? commands.arguments[i] : nullptr;
    for (; arguments && *arguments; ++arguments)
        program.arguments.push_back(*arguments);
    for (int n = 0; n < maxprocs; ++n)
        plan.codes.push_back(n < program.ranks ? MPI_SUCCESS : MPI_ERR_SPAWN);
    plan.programs.push_back(std::move(program));
    plan.errhandlers.push_back(errhandler);
    plan.numbers.push_back(number);
    return success;
}

Error make_children(const Commands &commands, Plan &plan) {
    if (commands.count < 1)
        return fail(MPI_ERR_ARG, "count is %d, but must be positive", commands.count);
    if (!commands.names || !commands.maxprocs || !commands.infos)
        return fail(MPI_ERR_ARG, "an array of commands, maxprocs or infos is a null pointer");
    for (int i = 0; i < commands.count; ++i)
        if (Error error = plan_command(commands, i, plan))
            return error;
    int total = 0;
    for (const ProgramSpecification &program : plan.programs)
        total += program.ranks;
    if (total == 0)
        return success;
    std::string why;
    if (!make_ranks(plan.programs, plan.ranks, why))
        return fail(MPI_ERR_SPAWN, "command is \"%s\": %s", commands.names[0], why.c_str());
    add_processes(plan.ranks.data(), plan.ranks.size());
    for (Rank *rank : plan.ranks) {
        auto program = static_cast<size_t>(rank->program);
        set_initial_errhandler(*rank->process, *plan.errhandlers[program]);
        rank->program = plan.numbers[program];
    }
    return success;
}

// The inter-communicator: the parents are side 0.
void connect_with_children(Communicator &comm, Plan &plan, const Proposals &proposals) {
    Group &children = plan.ranks.empty() ? empty_group : *plan.ranks[0]->process->world->group;
    Context &context = *new_context(comm.size + children.size);
    for (size_t i = 0; i < proposals.size(); ++i)
        proposals[i]->assign(context, *comm.group, static_cast<int>(i), &children, 0);
    for (size_t i = 0; i < plan.ranks.size(); ++i) {
        Process &child = *plan.ranks[i]->process;
        child.parent =
            new_communicator(child, context, children, static_cast<int>(i), comm.group, 1);
        child.parent->errhandler = child.initial_errhandler;
        std::snprintf(child.parent->name, sizeof child.parent->name, "MPI_COMM_PARENT");
    }
    auto codes = std::make_shared<std::vector<int>>(plan.codes);
    for (Proposal *proposal : proposals)
        static_cast<SpawnProposal *>(proposal)->codes = codes;
}

Error spawn(const Commands &commands, int root, Communicator &comm, MPI_Comm *intercomm,
            int *errcodes) {
    if (comm.inter)
        return fail(MPI_ERR_COMM, "comm is an inter-communicator, which has no single group");
    SpawnProposal mine;
    Plan plan;
    if (comm.rank == root) {
        mine.error = make_children(commands, plan);
        mine.plan = &plan;
    }
    Error error = create_together(comm, mine, [&](const Proposals &proposals) {
        auto *roots = static_cast<SpawnProposal *>(proposals[static_cast<size_t>(root)]);
        connect_with_children(comm, *roots->plan, proposals);
    });
    if (error) {
        if (!plan.ranks.empty())
            unmake_ranks(plan.ranks);
        return error;
    }
    if (errcodes) // not MPI_ERRCODES_IGNORE
        std::copy(mine.codes->begin(), mine.codes->end(), errcodes);
    *intercomm = finish_creation(comm, mine);
    start_ranks(plan.ranks);
    return success;
}

} // namespace

Error comm_spawn(const char *command, char *argv[], int maxprocs, Info *info, int root,
                 Communicator &comm, MPI_Comm *intercomm, int errcodes[]) {
    MPI_Info handle = info;
    return spawn({1, &command, argv ? &argv : nullptr, &maxprocs, &handle}, root, comm, intercomm,
                 errcodes);
}

Error comm_spawn_multiple(int count, char *commands[], char **arguments[], const int maxprocs[],
                          const MPI_Info infos[], int root, Communicator &comm, MPI_Comm *intercomm,
                          int errcodes[]) {
    return spawn({count, commands, arguments, maxprocs, infos}, root, comm, intercomm, errcodes);
}

} // namespace thrum::mpi
