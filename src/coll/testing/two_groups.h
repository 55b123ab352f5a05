// For tests: inter-communicators.
#pragma once
#include "coll/coll.h"
#include "comm/communicator_lifecycle.h"
#include "comm/group.h"
#include "comm/testing/processes.h"

#include <vector>

namespace thrum::testing {

// The processes of the world in two groups: `first` processes, and the rest.
struct TwoGroups {
    Context *context;
    Group *groups[2];
    int first;

    TwoGroups(int first_size, int total) : context(new_context(total)), first(first_size) {
        std::vector<Process *> members[2];
        for (int i = 0; i < total; ++i)
            members[i >= first_size].push_back(&process_at(i));
        for (int side : {0, 1})
            groups[side] = new_group(members[side]);
    }

    Communicator *of(Process &process) {
        int side = process.number >= first;
        return new_communicator(process, *context, *groups[side],
                                process.number - (side ? first : 0), groups[1 - side], side);
    }
};

// Runs function(inter-communicator) on all ranks of two groups.
template <class F>
void run_in_two_groups(int first, int second, const TeamOptions &options, F function) {
    TwoGroups *groups = nullptr;
    auto body = [&](Process &process) {
        if (process.number == 0)
            groups = new TwoGroups(first, first + second);
        (void)barrier(*process.world);
        Communicator *comm = groups->of(process);
        function(*comm);
        release(*comm);
        (void)barrier(*process.world);
    };
    run_processes(first + second, body, options);
    release(*groups->groups[0]);
    release(*groups->groups[1]);
    delete groups;
}

} // namespace thrum::testing
