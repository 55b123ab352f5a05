// Published names, and the key-value pairs of a job, which are names with a prefix of their own.
#include "wireup/client.h"
#include "wireup/job_values.h"
#include "wireup/own_thread.h"
#include "wireup/wireup.h"

#include <cstdio>

namespace thrum {
namespace {

// The server may have other users, and names that begin with "pmix" are its own.
constexpr const char *prefix = "thrum.name.";

// Distinguishes what MPI has error classes for (known, unknown) from failures of the server.
NameResult result_of(pmix_status_t status, const char *what, std::string &why) {
    switch (status) {
    case PMIX_SUCCESS:
        return NameResult::Done;
    case PMIX_ERR_DUPLICATE_KEY:
    case PMIX_ERR_EXISTS:
        return NameResult::Known;
    case PMIX_ERR_NOT_FOUND:
        return NameResult::Unknown;
    default:
        why = std::string("the launcher's PMIx server cannot ") + what +
              " names: " + pmix_client().Error_string(status);
        return NameResult::Failed;
    }
}

// Returns whether the key is short enough for PMIx; otherwise `why` says how long it may be.
bool fits(const std::string &key, std::string &why) {
    if (key.size() <= PMIX_MAX_KEYLEN)
        return true;
    why = "it is longer than the " +
          std::to_string(PMIX_MAX_KEYLEN - std::char_traits<char>::length(prefix)) +
          " characters that PMIx permits";
    return false;
}

// Publishes a key, on a thread of libpmix's own. `function`: for reports of the blocked rank.
NameResult publish_key(const std::string &key, const std::string &value, const char *function,
                       std::string &why) MAY_SUSPEND {
    if (!fits(key, why))
        return NameResult::Failed;
    pmix_info_t info{};
    std::snprintf(info.key, sizeof info.key, "%s", key.c_str());
    info.value.type = PMIX_STRING;
    info.value.data.string = const_cast<char *>(value.c_str());
    NameResult result{};
    run_on_own_thread(function,
                      [&] { result = result_of(pmix_client().Publish(&info, 1), "publish", why); });
    return result;
}

// Looks up a key. A value that is not a text was published by another program under the same key.
NameResult look_up_key(const std::string &key, std::string &value, const char *function,
                       std::string &why) MAY_SUSPEND {
    if (!fits(key, why))
        return NameResult::Unknown; // no process can have published it
    pmix_pdata_t data{};
    std::snprintf(data.key, sizeof data.key, "%s", key.c_str());
    NameResult result{};
    run_on_own_thread(function, [&] {
        result = result_of(pmix_client().Lookup(&data, 1, nullptr, 0), "look up", why);
    });
    if (result == NameResult::Done && data.value.type != PMIX_STRING)
        return NameResult::Unknown;
    if (result == NameResult::Done)
        value = data.value.data.string;
    return result;
}

// Publishes a name only once. Other launchers' servers let a name be published twice; then the
// first lookup result decides which process has published it.
NameResult publish_first(const std::string &key, const std::string &value, const char *function,
                         std::string &why) MAY_SUSPEND {
    std::string found;
    if (!is_of_our_launcher() && look_up_key(key, found, function, why) == NameResult::Done)
        return NameResult::Known;
    const NameResult result = publish_key(key, value, function, why);
    if (is_of_our_launcher() || result != NameResult::Done)
        return result;
    const NameResult known = look_up_key(key, found, function, why);
    return known == NameResult::Done && found != value ? NameResult::Known : result;
}

// Adds the job's name, because a server may know several jobs.
std::string key_of_job(const std::string &key) {
    return "thrum.job." + job_name() + "." + key;
}

} // namespace

NameResult publish_globally(const std::string &name, const std::string &value, std::string &why) {
    return publish_first(prefix + name, value, "MPI_Publish_name", why);
}

NameResult look_up_globally(const std::string &name, std::string &value, std::string &why) {
    return look_up_key(prefix + name, value, "MPI_Lookup_name", why);
}

NameResult set_job_value(const std::string &key, const std::string &value, std::string &why) {
    // Appends the publisher's number, so that no two values are equal.
    return publish_first(key_of_job(key),
                         value + '\n' + std::to_string(this_node_process().number()),
                         "MPI_Comm_spawn", why);
}

std::string get_job_value(const std::string &key) {
    std::string value, why;
    if (look_up_key(key_of_job(key), value, "MPI_Comm_spawn", why) != NameResult::Done)
        return "";
    return value.substr(0, value.rfind('\n'));
}

NameResult unpublish_globally(const std::string &name, std::string &why) {
    std::string key = prefix + name;
    if (!fits(key, why))
        return NameResult::Unknown;
    char *keys[] = {key.data(), nullptr};
    NameResult result{};
    run_on_own_thread("MPI_Unpublish_name", [&] {
        result = result_of(pmix_client().Unpublish(keys, nullptr, 0), "unpublish", why);
    });
    return result;
}

} // namespace thrum
