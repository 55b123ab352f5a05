// Process sets that the launcher knows (prterun --pset).
#include "wireup/client.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sstream>

namespace thrum {
namespace {

// The answer to one query; nullptr: there is none. It is never freed: this happens once.
const pmix_value_t *ask(const char *key, pmix_info_t *qualifier) {
    char *keys[] = {const_cast<char *>(key), nullptr};
    pmix_query_t query{};
    query.keys = keys;
    query.qualifiers = qualifier;
    query.nqual = qualifier ? 1 : 0;
    pmix_info_t *results = nullptr;
    size_t count = 0;
    if (pmix_client().Query_info(&query, 1, &results, &count) != PMIX_SUCCESS)
        return nullptr;
    for (size_t i = 0; i < count; ++i)
        if (!std::strncmp(results[i].key, key, PMIX_MAX_KEYLEN))
            return &results[i].value;
    return nullptr;
}

// Of the processes of this one's MPI_COMM_WORLD; empty if others belong to the set, too.
std::vector<int> members_of(const std::string &set, const std::string &name_space) {
    pmix_info_t name{};
    std::snprintf(name.key, sizeof name.key, "%s", PMIX_PSET_NAME);
    name.value.type = PMIX_STRING;
    name.value.data.string = const_cast<char *>(set.c_str());
    const pmix_value_t *value = ask(PMIX_QUERY_PSET_MEMBERSHIP, &name);
    std::vector<int> members;
    if (!value || value->type != PMIX_DATA_ARRAY || !value->data.darray ||
        value->data.darray->type != PMIX_PROC)
        return members;
    const auto *procs = static_cast<const pmix_proc_t *>(value->data.darray->array);
    for (size_t i = 0; i < value->data.darray->size; ++i) {
        if (name_space != procs[i].nspace ||
            procs[i].rank >= static_cast<pmix_rank_t>(node_process_count()))
            return {};
        members.push_back(static_cast<int>(procs[i].rank));
    }
    std::sort(members.begin(), members.end());
    return members;
}

std::vector<ProcessSet> ask_for_sets() {
    std::vector<ProcessSet> found;
    const pmix_value_t *names = ask(PMIX_QUERY_PSET_NAMES, nullptr);
    if (!names || names->type != PMIX_STRING || !names->data.string)
        return found;
    std::istringstream list(names->data.string);
    for (std::string name; std::getline(list, name, ',');) {
        std::vector<int> members = members_of(name, job_name());
        if (std::binary_search(members.begin(), members.end(), this_node_process()))
            found.push_back({name, std::move(members)});
    }
    return found;
}

// Written by learn_process_sets(), before ranks may look.
std::vector<ProcessSet> &sets = *new std::vector<ProcessSet>;

} // namespace

void learn_process_sets() {
    if (!is_of_our_launcher() && !origin())
        sets = ask_for_sets();
}

const std::vector<ProcessSet> &process_sets() {
    return sets;
}

} // namespace thrum
