// Groups (MPI 5.0 section 7.3): local operations on ordered sets of processes. Results are new
// immutable groups. Sets are compared through a RankIndex, an array over the processes of the job.
// So an operation costs the size of the job, not the product of two groups.
#include "entry/calls.h"
#include "entry/entry.h"

#include <vector>

namespace thrum::mpi {
namespace {

// Appends to `members` those of `from` for which `keep(process)` is true, in the order of `from`.
template <class Keep>
void select(const Group &from, std::vector<Process *> &members, Keep keep) {
    for (int rank = 0; rank < from.size; ++rank)
        if (keep(from[rank]))
            members.push_back(&from[rank]);
}

// Makes the result. It belongs to the session of the first group that it is derived from (section
// 9.3).
Error give(std::vector<Process *> members, const Group &from, MPI_Group *newgroup) {
    *newgroup = handle_of(*new_group(std::move(members), from.session));
    return success;
}

// Checks an array of n entries; without entries it may be null.
Error check_array(const char *name, int n, const void *array) {
    if (n < 0)
        return fail(MPI_ERR_ARG, "n is %d, but must not be negative", n);
    return n == 0 || array ? success : arg::null_pointer(name);
}

// Checks ranks[0..n) of `group`: in range and, as the functions of section 7.3.2 require, no rank
// twice. `chosen` becomes which ranks are in the list.
Error check_ranks(const Group &group, int n, const int ranks[], std::vector<bool> &chosen) {
    if (Error error = check_array("ranks", n, ranks))
        return error;
    chosen.assign(static_cast<size_t>(group.size), false);
    for (int i = 0; i < n; ++i) {
        int rank = ranks[i];
        if (rank < 0 || rank >= group.size)
            return fail(MPI_ERR_RANK, "ranks[%d] is %d, but group has %d members", i, rank,
                        group.size);
        if (chosen[static_cast<size_t>(rank)])
            return fail(MPI_ERR_RANK, "ranks[%d] is %d, which appears twice in ranks", i, rank);
        chosen[static_cast<size_t>(rank)] = true;
    }
    return success;
}

// Expands (first, last, stride) triplets to ranks. Duplicates are found later, in the expanded
// list.
Error expand_ranges(const Group &group, int n, int ranges[][3], std::vector<int> &ranks) {
    if (Error error = check_array("ranges", n, ranges))
        return error;
    for (int i = 0; i < n; ++i) {
        const auto &[first, last, stride] = ranges[i];
        if (stride == 0)
            return fail(MPI_ERR_ARG, "ranges[%d] is (%d, %d, 0), but a stride must not be 0", i,
                        first, last);
        // The last rank must be valid, too, even if the stride skips it.
        if (first < 0 || first >= group.size || last < 0 || last >= group.size)
            return fail(MPI_ERR_RANK, "ranges[%d] is (%d, %d, %d), but group has %d members", i,
                        first, last, stride, group.size);
        for (int64_t rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride)
            ranks.push_back(static_cast<int>(rank));
    }
    return success;
}

} // namespace

Error group_size(Group &group, int *size) {
    *size = group.size;
    return success;
}

Error group_rank(Group &group, int *rank) {
    *rank = group.rank_of(current_process());
    return success;
}

// Looks ranks up one by one if they are few or a lookup costs O(1), otherwise through an index.
Error group_translate_ranks(Group &group1, int n, const int ranks1[], Group &group2, int ranks2[]) {
    if (Error error = check_array("ranks1", n, ranks1))
        return error;
    if (Error error = check_array("ranks2", n, ranks2))
        return error;
    for (int i = 0; i < n; ++i)
        if (ranks1[i] != MPI_PROC_NULL && (ranks1[i] < 0 || ranks1[i] >= group1.size))
            return fail(MPI_ERR_RANK, "ranks1[%d] is %d, but group1 has %d members", i, ranks1[i],
                        group1.size);
    // `rank_in_group2` looks a process up, in the one way or the other.
    auto translate = [&](const auto &rank_in_group2) {
        for (int i = 0; i < n; ++i)
            ranks2[i] =
                ranks1[i] == MPI_PROC_NULL ? MPI_PROC_NULL : rank_in_group2(group1[ranks1[i]]);
    };
    constexpr int few = 4; // an index costs the size of the world
    if (n <= few || group2.first) {
        translate([&](const Process &process) { return group2.rank_of(process); });
    } else {
        RankIndex index(group2);
        translate([&](const Process &process) { return index.rank_of(process); });
    }
    return success;
}

Error group_compare(Group &group1, Group &group2, int *result) {
    *result = compare_groups(group1, group2);
    return success;
}

// The members of group1, then those of group2 that are not in it (section 7.3.2).
Error group_union(Group &group1, Group &group2, MPI_Group *newgroup) {
    std::vector<Process *> members;
    RankIndex in_group1(group1);
    select(group1, members, [](const Process &) { return true; });
    select(group2, members,
           [&](const Process &process) { return in_group1.rank_of(process) == MPI_UNDEFINED; });
    return give(std::move(members), group1, newgroup);
}

// The members of group1 that are in group2, in the order of group1 (section 7.3.2).
Error group_intersection(Group &group1, Group &group2, MPI_Group *newgroup) {
    std::vector<Process *> members;
    RankIndex in_group2(group2);
    select(group1, members,
           [&](const Process &process) { return in_group2.rank_of(process) != MPI_UNDEFINED; });
    return give(std::move(members), group1, newgroup);
}

// The members of group1 that are not in group2 (section 7.3.2).
Error group_difference(Group &group1, Group &group2, MPI_Group *newgroup) {
    std::vector<Process *> members;
    RankIndex in_group2(group2);
    select(group1, members,
           [&](const Process &process) { return in_group2.rank_of(process) == MPI_UNDEFINED; });
    return give(std::move(members), group1, newgroup);
}

Error group_incl(Group &group, int n, const int ranks[], MPI_Group *newgroup) {
    std::vector<bool> chosen;
    if (Error error = check_ranks(group, n, ranks, chosen))
        return error;
    std::vector<Process *> members;
    for (int i = 0; i < n; ++i)
        members.push_back(&group[ranks[i]]);
    return give(std::move(members), group, newgroup);
}

// The remaining members keep their order; the order of `ranks` does not matter.
Error group_excl(Group &group, int n, const int ranks[], MPI_Group *newgroup) {
    std::vector<bool> chosen;
    if (Error error = check_ranks(group, n, ranks, chosen))
        return error;
    std::vector<Process *> members;
    for (int rank = 0; rank < group.size; ++rank)
        if (!chosen[static_cast<size_t>(rank)])
            members.push_back(&group[rank]);
    return give(std::move(members), group, newgroup);
}

// Ranges are expanded first, so both functions share the checks of the lists.
Error group_range_incl(Group &group, int n, int ranges[][3], MPI_Group *newgroup) {
    std::vector<int> ranks;
    if (Error error = expand_ranges(group, n, ranges, ranks))
        return error;
    return group_incl(group, static_cast<int>(ranks.size()), ranks.data(), newgroup);
}

Error group_range_excl(Group &group, int n, int ranges[][3], MPI_Group *newgroup) {
    std::vector<int> ranks;
    if (Error error = expand_ranges(group, n, ranges, ranks))
        return error;
    return group_excl(group, static_cast<int>(ranks.size()), ranks.data(), newgroup);
}

// MPI_GROUP_EMPTY may be freed as often as the program likes.
Error group_free(MPI_Group *group) {
    Group *found = find_group(*group);
    if (!found)
        return arg::bad_handle(MPI_ERR_GROUP, "group", *group, "group");
    release(*found);
    *group = MPI_GROUP_NULL;
    return success;
}

} // namespace thrum::mpi
