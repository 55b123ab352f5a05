// MPI_Comm_spawn and MPI_Comm_spawn_multiple (MPI 5.0 section 11.8): new ranks of this process,
// which run images of the named programs.
//
//     root    make_ranks(), add_processes()     images, fibers, MPI_COMM_WORLD; nothing runs yet
//     all     create_together()                 the inter-communicator, in parents and children
//     root    start_ranks()
//
// If the job has several processes, or the program cannot be an image, the children are processes:
//
//     root    start_processes()                 the launcher starts them (PMIx)
//     root and the first child: join_leader()   in the child's MPI_Init, meet_parents()
//     all     create_together(), of parents and of children
#include "mpi/spawn.h"

#include "base/settings.h"
#include "comm/communicator_lifecycle.h"
#include "comm/process.h"
#include "comm/process_lifecycle.h"
#include "comm/span.h"
#include "comm/tool_counts.h"
#include "entry/calls.h"
#include "entry/entry.h"
#include "fabric/fabric.h"
#include "lifecycle/node_processes.h"
#include "mpi/creation.h"
#include "mpi/spawn_info.h"
#include "pt2pt/lost.h"
#include "rank/added.h"
#include "rank/c_library.h"
#include "wireup/job_values.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <unistd.h>

namespace thrum::mpi {

PERFORMANCE_VARIABLE(spawned_processes, .category = "processes",
                     .description = "processes that this rank has started as the root of "
                                    "MPI_Comm_spawn and MPI_Comm_spawn_multiple",
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);

namespace {

// The root's arguments.
struct Commands {
    int count;
    const char *const *names;
    char **const *arguments; // MPI_ARGVS_NULL: none
    const int *maxprocs;
    const MPI_Info *infos;
};

// The plan that the root makes from its arguments; complete before anything is started.
struct Plan {
    std::vector<ProgramSpecification> programs;
    std::vector<Errhandler *> errhandlers; // initial ones, by program
    std::vector<int> numbers;              // MPI_APPNUM, by program
    std::vector<std::string> hosts;        // by program; "": anywhere
    std::vector<int> codes;                // array_of_errcodes
    std::vector<Rank *> ranks; // if they are ranks of this process: made, but not running
};

// A parent's proposal. The root's carries the plan, and the error codes for all.
struct SpawnProposal : Proposal {
    Plan *plan = nullptr;       // only at the root
    bool are_processes = false; // only at the root, which has met the first child
    std::vector<int> codes;     // at the root, then distributed to all

    void write(ByteWriter &to) const override {
        Proposal::write(to);
        to.number(are_processes);
        to.numbers(codes.data(), codes.size());
    }

    void read(ByteReader &from) override {
        Proposal::read(from);
        are_processes = from.number<bool>();
        codes = from.numbers();
    }

    Proposal *blank() const override { return new SpawnProposal; }
};

// Checks one command and adds it to the plan. `use`: the program is searched and checked for this
// use. `soft` may allow fewer ranks than maxprocs: the codes of the missing ones are MPI_ERR_SPAWN.
Error plan_command(const Commands &commands, int i, ProgramUse use, Plan &plan) {
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
    program.path = find_executable(name, wanted.path, use, why);
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
    plan.hosts.push_back(wanted.hosts);
    return success;
}

// Makes the plan of all commands.
Error make_plan(const Commands &commands, ProgramUse use, Plan &plan) {
    if (commands.count < 1)
        return fail(MPI_ERR_ARG, "count is %d, but must be positive", commands.count);
    if (!commands.names || !commands.maxprocs || !commands.infos)
        return fail(MPI_ERR_ARG, "an array of commands, maxprocs or infos is a null pointer");
    for (int i = 0; i < commands.count; ++i)
        if (Error error = plan_command(commands, i, use, plan))
            return error;
    return success;
}

// Returns how many ranks the plan has in all commands.
int count_ranks(const Plan &plan) {
    int total = 0;
    for (const ProgramSpecification &program : plan.programs)
        total += program.ranks;
    return total;
}

// Returns whether the children should be processes. `plan` was made for processes.
bool wants_processes(const Plan &plan) {
    if (has_other_processes() || !can_add_ranks())
        return true;
    return std::any_of(
        plan.programs.begin(), plan.programs.end(),
        [](const ProgramSpecification &program) { return needs_process(program.path); });
}

// Checks that hosts in the infos are this one: the ranks are to run in this process.
Error check_hosts(const Plan &plan) {
    char own[256] = "";
    ::gethostname(own, sizeof own - 1);
    for (const std::string &host : plan.hosts)
        if (!host.empty() && host != own && host != "localhost")
            return fail(MPI_ERR_SPAWN,
                        "host of info is \"%s\", but spawned ranks run in this process, on %s",
                        host.c_str(), own);
    return success;
}

// Makes the ranks and their processes, but starts nothing: the children must not run before the
// inter-communicator exists.
Error make_children(const Commands &commands, Plan &plan) MAY_SUSPEND {
    if (count_ranks(plan) == 0)
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

// Returns the environment of the children: the calling rank's, without what belongs to its own
// connection with the launcher, and with what the children must know in addition.
std::vector<std::string> variables_for(const Plan &plan, size_t program) {
    std::vector<std::string> variables;
    // The launcher gives the children PMIx variables of their own.
    for (char **e = environment_of(current_rank()); e && *e; ++e)
        if (!std::string_view(*e).starts_with("PMIX_"))
            variables.emplace_back(*e);
    if (settings().universe_size)
        variables.push_back("THRUM_UNIVERSE_SIZE=" + std::to_string(settings().universe_size));
    const Errhandler *errhandler = plan.errhandlers[program];
    variables.push_back("THRUM_FIRST_PROGRAM=" + std::to_string(plan.numbers[program]));
    variables.push_back(std::string("THRUM_INITIAL_ERRHANDLER=") +
                        (errhandler == &errors_return  ? "mpi_errors_return"
                         : errhandler == &errors_abort ? "mpi_errors_abort"
                                                       : "mpi_errors_are_fatal"));
    if (!plan.hosts[program].empty())
        variables.emplace_back(spawn_hosts_variable).append("=").append(plan.hosts[program]);
    return variables;
}

// Returns the name by which root and first child meet; unique, as numbers are not used twice.
std::string name_of_meeting(int first_process) {
    return "spawn " + std::to_string(first_process);
}

// Returns the numbers of a communicator's processes, sorted.
std::vector<int> processes_of(const Communicator &comm) {
    const ProcessMap *span = comm.context->span;
    if (!span)
        return {this_node_process().number()};
    std::vector<int> processes;
    for (NodeProcess process : span->processes)
        processes.push_back(process.number());
    std::ranges::sort(processes);
    return processes;
}

// Launches the children. Takes new numbers and tries again if a host for them is lost at that
// moment.
SpawnResult launch_children(const std::vector<SpawnedProgram> &programs, Origin &children,
                            std::string &why) MAY_SUSPEND {
    for (;;) {
        children.first_process = fabric_take_numbers(children.count);
        if (children.first_process < 0) {
            why = "a job can spawn at most " + std::to_string(added_processes_max) +
                  " processes while it runs";
            return SpawnResult::Refused;
        }
        const SpawnResult result = spawn_processes(programs, children, why);
        if (result != SpawnResult::HostLost)
            return result;
    }
}

// The root's part for processes. When it returns without an error, the first child has joined the
// job and both have made the inter-communicator's context.
Error start_processes(const Commands &commands, Plan &plan, const Communicator &comm,
                      SpawnProposal &mine) MAY_SUSPEND {
    const int total = count_ranks(plan);
    if (total == 0)
        return success;
    std::string why;
    Origin children;
    const auto refused = [&] {
        return fail(MPI_ERR_SPAWN, "command is \"%s\": %s", commands.names[0], why.c_str());
    };
    if (!expect_other_processes(why))
        return refused();
    // By the directory the children find the processes of the job, and are found.
    children.directory = fabric_directory(why);
    if (children.directory.empty())
        return refused();
    children.count = total;
    children.parent = current_process().number;
    children.parents = processes_of(comm);
    std::vector<SpawnedProgram> programs;
    for (size_t i = 0; i < plan.programs.size(); ++i) {
        const ProgramSpecification &program = plan.programs[i];
        programs.push_back({program.ranks, program.path, program.arguments,
                            program.directory.empty() ? working_directory() : program.directory,
                            variables_for(plan, i)});
    }
    if (launch_children(programs, children, why) != SpawnResult::Started)
        return refused();
    // The first child tells when it can receive messages; only then the leaders can meet.
    if (!await_notice(NodeProcess(children.first_process), FamilyNotice::Ready)) {
        why = lost_process_sentence(NodeProcess(children.first_process));
        return refused();
    }
    Proposal leader; // the counterpart of the first child's proposal
    leader.group = mine.group;
    join_leader(name_of_meeting(children.first_process), children.parent,
                added_rank(children.first_process - node_process_count()), true, leader);
    // The root continues as if it had found the result itself; its plan stays.
    static_cast<Proposal &>(mine) = leader;
    mine.are_processes = !leader.error;
    return mine.error;
}

// A build function: makes the inter-communicator; the parents are side 0. The children do not run
// yet, so their side is made here, too.
void connect_with_children(Communicator &comm, const Plan *plan, const Proposals &proposals) {
    const std::vector<Rank *> ranks = plan ? plan->ranks : std::vector<Rank *>();
    Group &children = ranks.empty() ? empty_group : *ranks[0]->process->world->group;
    Context &context = *proposals.context(*comm.group, &children);
    for (size_t i = 0; i < proposals.size(); ++i)
        proposals[i]->assign(&context, *comm.group, static_cast<int>(i), &children, 0);
    for (size_t i = 0; i < ranks.size(); ++i) {
        Process &child = *ranks[i]->process;
        child.parent =
            new_communicator(child, context, children, static_cast<int>(i), comm.group, 1);
        child.parent->errhandler = child.initial_errhandler;
        std::snprintf(child.parent->name, sizeof child.parent->name, "MPI_COMM_PARENT");
    }
}

// Sends a notice to each process of the family, if the launcher does not report failures: processes
// detect each other's end once they have been in contact.
void watch_family(MPI_Comm intercomm) MAY_SUSPEND {
    const ProcessMap *span = find_communicator(intercomm)->context->span;
    if (!span || launcher_tells_of_failures())
        return;
    for (NodeProcess process : span->processes)
        if (process != this_node_process())
            send_notice(process, FamilyNotice::Met);
}

// The root's part until all parents meet. The plan is first made for processes, because that shows
// whether the programs can be ranks; if they can, it is made again for them.
Error plan_and_start(const Commands &commands, Plan &plan, const Communicator &comm,
                     SpawnProposal &mine) MAY_SUSPEND {
    if (Error error = make_plan(commands, ProgramUse::Process, plan))
        return error;
    if (wants_processes(plan))
        return start_processes(commands, plan, comm, mine);
    // No program needs a process: the plan is made again for ranks of this process.
    plan = Plan();
    if (Error error = make_plan(commands, ProgramUse::Rank, plan))
        return error;
    if (Error error = check_hosts(plan))
        return error;
    return make_children(commands, plan);
}

// The root plans and prepares the children. Then all parents create the inter-communicator. Only
// then the children start, or learn about it if they are processes.
Error spawn(const Commands &commands, int root, Communicator &comm, MPI_Comm *intercomm,
            int *errcodes) MAY_SUSPEND {
    if (comm.inter)
        return fail(MPI_ERR_COMM, "comm is an inter-communicator, which has no single group");
    SpawnProposal mine;
    Plan plan;
    mine.group = comm.group;
    if (comm.rank == root) {
        mine.error = plan_and_start(commands, plan, comm, mine);
        mine.plan = &plan;
        mine.codes = plan.codes;
    }
    Group *remote = mine.remote; // keeps the root's references until all have theirs
    Error error = create_together(comm, mine, [&](const Proposals &proposals) {
        const auto &roots =
            static_cast<const SpawnProposal &>(*proposals[static_cast<size_t>(root)]);
        if (roots.are_processes)
            assign_joined(comm, root, proposals);
        else // for ranks here, or without children
            connect_with_children(comm, roots.plan, proposals);
        for (Proposal *proposal : proposals)
            static_cast<SpawnProposal *>(proposal)->codes = roots.codes;
    });
    if (mine.are_processes && remote) {
        release(*comm.group);
        release(*remote);
    }
    if (error) {
        // The children were made but do not run yet.
        if (!plan.ranks.empty())
            unmake_ranks(plan.ranks);
        return error;
    }
    if (errcodes) // not MPI_ERRCODES_IGNORE
        std::copy(mine.codes.begin(), mine.codes.end(), errcodes);
    *intercomm = finish_creation(comm, mine);
    watch_family(*intercomm);
    start_ranks(plan.ranks);
    if (comm.rank == root && count_ranks(plan) > 0 && somebody_listens())
        count_for_tools(*comm.process, spawned_processes, static_cast<size_t>(count_ranks(plan)));
    return success;
}

} // namespace

// One command is the general case with arrays of one entry.
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

// The children's side, in MPI_Init: the first child meets the root of the parents, then all
// children get the inter-communicator.
static Error meet_parents() MAY_SUSPEND {
    const Origin &family = *origin();
    Process &process = current_process();
    Communicator &world = *process.world;
    Proposal mine;
    mine.group = world.group;
    if (world.rank == 0) {
        send_notice(node_process_of(family.parent), FamilyNotice::Ready);
        join_leader(name_of_meeting(family.first_process), family.parent, process.number, false,
                    mine);
    }
    MPI_Comm parent = MPI_COMM_NULL;
    if (Error error = spread_joined(world, 0, mine, &parent))
        return error;
    process.parent = parent;
    watch_family(parent);
    std::snprintf(process.parent->name, sizeof process.parent->name, "MPI_COMM_PARENT");
    return success;
}

Error join_other_processes() {
    return join_job() && origin() ? meet_parents() : success;
}

} // namespace thrum::mpi
