#include "published_names.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace mpiexec {
namespace {

struct Entry {
    std::string value;
    pmix_proc_t publisher;
};

// On the thread of libpmix alone, which answers at once.
std::map<std::string, Entry> &names() {
    static auto *the_names = new std::map<std::string, Entry>;
    return *the_names;
}

// Attributes of PMIx itself come along with what is published.
bool is_name(const pmix_info_t &info) {
    return info.value.type == PMIX_STRING && strncmp(info.key, "pmix.", 5) != 0;
}

pmix_status_t publish(const pmix_proc_t *proc, const pmix_info_t infos[], size_t count,
                      pmix_op_cbfunc_t, void *) {
    for (size_t i = 0; i < count; ++i)
        if (is_name(infos[i]) && names().contains(infos[i].key))
            return PMIX_ERR_DUPLICATE_KEY;
    for (size_t i = 0; i < count; ++i)
        if (is_name(infos[i]))
            names()[infos[i].key] = {infos[i].value.data.string, *proc};
    return PMIX_OPERATION_SUCCEEDED;
}

pmix_status_t look_up(const pmix_proc_t *, char **keys, const pmix_info_t[], size_t,
                      pmix_lookup_cbfunc_t done, void *argument) {
    std::vector<pmix_pdata_t> found;
    for (char **key = keys; key && *key; ++key) {
        auto entry = names().find(*key);
        if (entry == names().end())
            continue;
        pmix_pdata_t data{};
        data.proc = entry->second.publisher;
        snprintf(data.key, sizeof data.key, "%s", *key);
        data.value.type = PMIX_STRING;
        data.value.data.string = entry->second.value.data();
        found.push_back(data);
    }
    if (found.empty())
        return PMIX_ERR_NOT_FOUND;
    done(PMIX_SUCCESS, found.data(), found.size(), argument); // which copies
    return PMIX_SUCCESS;
}

pmix_status_t unpublish(const pmix_proc_t *, char **keys, const pmix_info_t[], size_t,
                        pmix_op_cbfunc_t, void *) {
    bool all = true;
    for (char **key = keys; key && *key; ++key)
        all &= names().erase(*key) == 1;
    return all ? PMIX_OPERATION_SUCCEEDED : PMIX_ERR_NOT_FOUND;
}

} // namespace

void serve_names(pmix_server_module_t &module) {
    module.publish = publish;
    module.lookup = look_up;
    module.unpublish = unpublish;
}

} // namespace mpiexec
