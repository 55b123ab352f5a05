// MPI_Comm_spawn and MPI_Comm_spawn_multiple (MPI 5.0 section 11.8): new ranks of this process,
// which run images of the named programs.
//
//     root    make_ranks(), add_processes()     images, fibers, MPI_COMM_WORLD; nothing runs yet
//     all     create_together()                 the inter-communicator, in parents and children
//     root    start_ranks()
#include "comm/process.h"
#include "comm/span.h"
#include "comm/tool_counts.h"
#include "mpi/calls.h"
#include "mpi/creation.h"
#include "mpi/entry.h"
#include "mpi/spawn_info.h"
#include "rank/added.h"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace thrum::mpi {

PERFORMANCE_VARIABLE(spawned_processes, .category = "processes",
                     .description = "processes that this rank has started as the root of "
                                    "MPI_Comm_spawn and MPI_Comm_spawn_multiple",
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);

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
    SpawnInfo wanted;
    if (Error error = read_spawn_info(info, maxprocs, i, wanted))
        return error;
    ProgramSpecification program;
    program.ranks = wanted.ranks;
    program.directory = wanted.directory;
    std::string why;
    program.path = find_executable(name, wanted.path, why);
    if (program.path.empty())
        return fail(MPI_ERR_SPAWN, "command is \"%s\": %s", name, why.c_str());
    program.arguments.push_back(name);
    char **arguments = commands.arguments ? commands.arguments[i] : nullptr;
    for (; arguments && *arguments; ++arguments)
        program.arguments.push_back(*arguments);
    for (int n = 0; n < maxprocs; ++n)
        plan.codes.push_back(n < program.ranks ? MPI_SUCCESS : MPI_ERR_SPAWN);
    plan.programs.push_back(std::move(program));
    plan.errhandlers.push_back(wanted.errhandler);
    plan.numbers.push_back(wanted.number);
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
    Context &context = *proposals.context(*comm.group, &children);
    for (size_t i = 0; i < proposals.size(); ++i)
        proposals[i]->assign(&context, *comm.group, static_cast<int>(i), &children, 0);
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
    if (has_other_processes())
        return not_across_processes("spawning");
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
    if (!plan.ranks.empty() && somebody_listens())
        count_for_tools(*comm.process, spawned_processes, plan.ranks.size());
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
