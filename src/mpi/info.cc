// The info object (MPI 5.0 chapter 10): its functions for programs. Objects are comm/info.h. A null
// info or key is an error here, although other MPI calls accept MPI_INFO_NULL.
#include "entry/calls.h"
#include "entry/entry.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace thrum::mpi {
namespace {

// Checks a key of the program: not empty and shorter than MPI_MAX_INFO_KEY.
Error check_key(const char *key) {
    size_t length = key ? std::strlen(key) : 0;
    if (length == 0 || length >= MPI_MAX_INFO_KEY)
        return fail(MPI_ERR_INFO_KEY, "key has %zu characters, but must have 1 to %d", length,
                    MPI_MAX_INFO_KEY - 1);
    return success;
}

// MPI_INFO_NULL arrives as a null pointer.
Error check_info(const Info *info) {
    return info ? success : fail(MPI_ERR_INFO, "info is MPI_INFO_NULL");
}

// MPI_INFO_ENV belongs to the library.
Error check_writable(Info *info) {
    if (Error error = check_info(info))
        return error;
    if (handle_of(*info) == MPI_INFO_ENV)
        return fail(MPI_ERR_INFO, "info is MPI_INFO_ENV, which cannot be changed");
    return success;
}

} // namespace

Error info_create(MPI_Info *info) {
    *info = handle_of(*new_info());
    return success;
}

// Section 11.2.1: makes what MPI_INFO_ENV would contain in a program with these arguments.
Error info_create_env(int argc, char *argv[], MPI_Info *info) {
    *info = new_environment_info(argv ? argc : 0, argv, current_rank().world_size);
    return success;
}

// A key that is not there is an error: MPI_ERR_INFO_NOKEY.
Error info_delete(Info *info, const char *key) {
    if (Error error = check_writable(info))
        return error;
    if (Error error = check_key(key))
        return error;
    return info->erase(key) ? success
                            : fail(MPI_ERR_INFO_NOKEY, "key is \"%s\", which is not in info", key);
}

// The duplicate of MPI_INFO_ENV can be changed.
Error info_dup(Info *info, MPI_Info *newinfo) {
    if (Error error = check_info(info))
        return error;
    *newinfo = copy_info(*info);
    return success;
}

// MPI_INFO_ENV cannot be freed.
Error info_free(MPI_Info *info) {
    Info *found = find_info(*info);
    if (!found)
        return arg::bad_handle(MPI_ERR_INFO, "info", *info, "info object");
    if (Error error = check_writable(found))
        return error;
    delete_info(found);
    *info = MPI_INFO_NULL;
    return success;
}

// Truncates the value to `valuelen` characters; `value` is left alone if the key is missing.
Error info_get(Info *info, const char *key, int valuelen, char *value, int *flag) {
    if (Error error = check_info(info))
        return error;
    if (Error error = check_key(key))
        return error;
    if (valuelen < 0)
        return fail(MPI_ERR_ARG, "valuelen is %d, but must not be negative", valuelen);
    const std::string *found = info->get(key);
    *flag = found != nullptr;
    if (found) // valuelen does not count the terminating null character
        std::snprintf(value, static_cast<size_t>(valuelen) + 1, "%s", found->c_str());
    return success;
}

// `buflen` counts the terminating null character, unlike `valuelen` of MPI_Info_get.
Error info_get_string(Info *info, const char *key, int *buflen, char *value, int *flag) {
    if (Error error = check_info(info))
        return error;
    if (Error error = check_key(key))
        return error;
    if (*buflen < 0)
        return fail(MPI_ERR_ARG, "buflen is %d, but must not be negative", *buflen);
    const std::string *found = info->get(key);
    *flag = found != nullptr;
    if (!found)
        return success;
    if (*buflen > 0)
        std::snprintf(value, static_cast<size_t>(*buflen), "%s", found->c_str());
    *buflen = static_cast<int>(found->size()) + 1; // the size of the value with its null character
    return success;
}

Error info_get_valuelen(Info *info, const char *key, int *valuelen, int *flag) {
    if (Error error = check_info(info))
        return error;
    if (Error error = check_key(key))
        return error;
    const std::string *found = info->get(key);
    *flag = found != nullptr;
    if (found)
        *valuelen = static_cast<int>(found->size());
    return success;
}

Error info_get_nkeys(Info *info, int *nkeys) {
    if (Error error = check_info(info))
        return error;
    *nkeys = static_cast<int>(info->entries.size());
    return success;
}

// Keys are in the order of their first setting.
Error info_get_nthkey(Info *info, int n, char *key) {
    if (Error error = check_info(info))
        return error;
    if (n < 0 || static_cast<size_t>(n) >= info->entries.size())
        return fail(MPI_ERR_ARG, "n is %d, but info has %zu keys", n, info->entries.size());
    std::snprintf(key, MPI_MAX_INFO_KEY, "%s", info->entries[static_cast<size_t>(n)].first.c_str());
    return success;
}

// Limits are those of mpi.h: a key or value that does not fit could not be read back.
Error info_set(Info *info, const char *key, const char *value) {
    if (Error error = check_writable(info))
        return error;
    if (Error error = check_key(key))
        return error;
    size_t length = value ? std::strlen(value) : 0;
    if (!value || length >= MPI_MAX_INFO_VAL)
        return fail(MPI_ERR_INFO_VALUE,
                    "value of key \"%s\" has %zu characters, at most %d are allowed", key, length,
                    MPI_MAX_INFO_VAL - 1);
    info->set(key, value);
    return success;
}

} // namespace thrum::mpi
