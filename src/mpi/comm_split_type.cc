// MPI_Comm_split_type (MPI 5.0 section 7.4.2) and MPI_Get_hw_resource_info (section 9.1.2).
//
// Every type of split becomes a color, which each rank computes for itself; the rest is
// MPI_Comm_split. Only MPI_COMM_TYPE_HW_UNGUIDED needs the other ranks' data to choose a color. All
// ranks of a process share its memory, and a fiber may run on every processor that the process may
// use. Ranks that are OS threads may bind themselves more narrowly.
#include "comm/hints.h"
#include "comm/process_sets.h"
#include "comm/session.h"
#include "entry/calls.h"
#include "fiber/hardware.h"
#include "fiber/places.h"
#include "mpi/creation.h"

#include <algorithm>
#include <strings.h>

namespace thrum::mpi {
namespace {

// A member's arguments of MPI_Comm_split_type.
struct TypeProposal : Proposal {
    int split_type = MPI_UNDEFINED;
    const std::string *resource = nullptr; // value of mpi_hw_resource_type
    const std::string *set = nullptr;      // value of mpi_pset_name, if the process is in it
    std::vector<int>
        instances; // MPI_COMM_TYPE_HW_UNGUIDED: of each type of hardware; -1: not bound to one
    int chosen_type = -1;       // set by the builder; index into Hardware::types()
    std::string resource_there; // these two, for a copy: what `resource` and `set` point to
    std::string set_there;

    void write(ByteWriter &to) const override {
        Proposal::write(to);
        to.number(split_type);
        to.number(resource != nullptr);
        to.text(resource ? *resource : "");
        to.number(set != nullptr);
        to.text(set ? *set : "");
        to.numbers(instances.data(), instances.size());
    }

    void read(ByteReader &from) override {
        Proposal::read(from);
        split_type = from.number<int>();
        const bool has_resource = from.number<bool>();
        resource_there = from.text();
        resource = has_resource ? &resource_there : nullptr;
        const bool has_set = from.number<bool>();
        set_there = from.text();
        set = has_set ? &set_there : nullptr;
        instances = from.numbers();
    }

    Proposal *blank() const override { return new TypeProposal; }
};

TypeProposal &of_type(Proposal *proposal) {
    return *static_cast<TypeProposal *>(proposal);
}

// Section 7.4.2: "All MPI processes in the group associated with comm must provide the same
// split_type", and the same value of mpi_hw_resource_type, except those with MPI_UNDEFINED. Those
// that belong to a process set must pass the same name of it.
bool agree_on_type(const Proposals &proposals) {
    const TypeProposal *first = nullptr;
    for (Proposal *proposal : proposals) {
        const TypeProposal &said = of_type(proposal);
        if (said.split_type == MPI_UNDEFINED)
            continue;
        if (!first)
            first = &said;
        const char *what = nullptr;
        if (said.split_type != first->split_type)
            what = "split_type";
        else if (!said.resource != !first->resource ||
                 (said.resource && *said.resource != *first->resource))
            what = "mpi_hw_resource_type";
        else if (!said.set != !first->set ||
                 (said.set && strcasecmp(said.set->c_str(), first->set->c_str()) != 0))
            what = "mpi_pset_name";
        if (what) {
            proposals[0]->error = fail(MPI_ERR_ARG, "ranks disagree on %s", what);
            return false;
        }
    }
    return true;
}

// For MPI_COMM_TYPE_HW_UNGUIDED: chooses the largest type of hardware whose instances differ
// between the members, and sets the colors.
void choose_type(const Proposals &proposals) {
    std::vector<TypeProposal *> members;
    for (Proposal *proposal : proposals)
        if (of_type(proposal).split_type == MPI_COMM_TYPE_HW_UNGUIDED)
            members.push_back(&of_type(proposal));
    if (members.empty())
        return;
    for (size_t type = 0; type < members[0]->instances.size(); ++type) {
        auto same = [&](const TypeProposal *member) {
            return member->instances[type] == members[0]->instances[type];
        };
        // The new groups must be strict subsets of the old one.
        if (std::all_of(members.begin(), members.end(), same) && members.size() == proposals.size())
            continue;
        for (TypeProposal *member : members) {
            member->color = member->instances[type] < 0 ? MPI_UNDEFINED : member->instances[type];
            member->chosen_type = static_cast<int>(type);
        }
        return;
    }
}

// Returns the color of the calling rank's process set with that name: the number of its first
// process. Without a session, or if the session has no such set, MPI_UNDEFINED. "This process set
// name must be valid in the session from which the input communicator comm is derived."
int color_of_set(const Communicator &comm, const std::string &name) {
    if (!comm.session)
        return MPI_UNDEFINED;
    Group *set = new_pset_group(*comm.process, name.c_str(), comm.session);
    if (!set)
        return MPI_UNDEFINED;
    int first = (*set)[0].world_rank();
    release(*set);
    return first;
}

// Returns the color of the rank's node: ranks share memory, which a window may use, if they are on
// one node.
int node_color() {
    return has_other_processes() ? node_of(this_node_process()) : 0;
}

// Returns, for each type of hardware, the instance to which the calling rank is restricted.
std::vector<int> instances_of_caller() {
    return Hardware::of_this_machine().instances_of(processors_of_caller());
}

// Returns the color for the instance of a type of hardware to which the calling rank is restricted;
// MPI_UNDEFINED if it is not restricted to one.
int color_of(const std::string &resource) {
    if (resource == "mpi_shared_memory")
        return node_color();
    const Hardware &hardware = Hardware::of_this_machine();
    int type = hardware.find(resource);
    int instance = type < 0 ? -1 : instances_of_caller()[static_cast<size_t>(type)];
    // Instances are numbered per node, so the node is part of the color.
    constexpr int instances_max = 1 << 16;
    return instance < 0 ? MPI_UNDEFINED : instance + node_color() * instances_max;
}

} // namespace

// Turns every type of split into a color and splits by that. Whether the members passed the same
// type can only be checked when all have proposed.
Error comm_split_type(Communicator &comm, int split_type, int key, Info *info, MPI_Comm *newcomm) {
    TypeProposal mine;
    mine.split_type = split_type;
    mine.key = key;
    mine.color = MPI_UNDEFINED;
    const std::string *resource = info ? info->get("mpi_hw_resource_type") : nullptr;
    const std::string *process_set = info ? info->get("mpi_pset_name") : nullptr;
    switch (split_type) {
    case MPI_UNDEFINED:
        break;
    case MPI_COMM_TYPE_SHARED:
        mine.color = node_color();
        break;
    case MPI_COMM_TYPE_RESOURCE_GUIDED:
        if (resource && process_set)
            mine.error = fail(MPI_ERR_INFO, "info has both mpi_hw_resource_type and mpi_pset_name, "
                                            "of which only one may be used");
        if (process_set)
            mine.color = color_of_set(comm, *process_set);
        if (mine.color != MPI_UNDEFINED)
            mine.set = process_set;
        [[fallthrough]];
    case MPI_COMM_TYPE_HW_GUIDED:
        mine.resource = resource;
        if (resource)
            mine.color = color_of(*resource);
        break;
    case MPI_COMM_TYPE_HW_UNGUIDED:
        mine.instances = instances_of_caller();
        break;
    default:
        mine.error =
            fail(MPI_ERR_ARG, "split_type is %d, which is not a type of split", split_type);
    }
    auto build = [&](const Proposals &proposals) {
        if (!agree_on_type(proposals))
            return;
        choose_type(proposals);
        build_split(comm, proposals);
    };
    if (Error error = create_together(comm, mine, build))
        return error;
    *newcomm = finish_creation(comm, mine);
    if (*newcomm == MPI_COMM_NULL)
        return success;
    take_hints((*newcomm)->info, info);
    if (info && mine.chosen_type >= 0 && handle_of(*info) != MPI_INFO_ENV)
        info->set(
            "mpi_hw_resource_type",
            Hardware::of_this_machine().types()[static_cast<size_t>(mine.chosen_type)].c_str());
    return success;
}

// Reports each type of hardware of this machine, and whether the calling rank is restricted to one
// instance.
Error get_hw_resource_info(MPI_Info *hw_info) {
    const Hardware &hardware = Hardware::of_this_machine();
    const std::vector<int> instances = instances_of_caller();
    Info *info = new_info();
    for (size_t type = 0; type < instances.size(); ++type)
        info->set(hardware.types()[type].c_str(), instances[type] < 0 ? "false" : "true");
    *hw_info = handle_of(*info);
    return success;
}

} // namespace thrum::mpi
