// Names and texts of the predefined error classes, and each rank's table of added classes and
// codes. Added codes in use form a list through their numbers, so that the last used code
// (MPI_LASTUSEDCODE) is known after one is removed.
#include "comm/error_codes.h"

#include "comm/process.h"

#include <iterator>

namespace thrum {
namespace {

// The name and the text of a class.
struct ClassText {
    const char *name;
    const char *text;
};

// In the order of the ABI's numbers (section 9.4).
constexpr ClassText classes[] = {
    {"MPI_SUCCESS", "no error"},
    {"MPI_ERR_BUFFER", "invalid buffer pointer"},
    {"MPI_ERR_COUNT", "invalid count argument"},
    {"MPI_ERR_TYPE", "invalid datatype argument"},
    {"MPI_ERR_TAG", "invalid tag argument"},
    {"MPI_ERR_COMM", "invalid communicator"},
    {"MPI_ERR_RANK", "invalid rank"},
    {"MPI_ERR_REQUEST", "invalid request handle"},
    {"MPI_ERR_ROOT", "invalid root"},
    {"MPI_ERR_GROUP", "invalid group"},
    {"MPI_ERR_OP", "invalid operation"},
    {"MPI_ERR_TOPOLOGY", "invalid topology"},
    {"MPI_ERR_DIMS", "invalid dimension argument"},
    {"MPI_ERR_ARG", "invalid argument of some other kind"},
    {"MPI_ERR_UNKNOWN", "unknown error"},
    {"MPI_ERR_TRUNCATE", "message truncated on receive"},
    {"MPI_ERR_OTHER", "known error not in this list"},
    {"MPI_ERR_INTERN", "internal error of the MPI library"},
    {"MPI_ERR_PENDING", "pending request"},
    {"MPI_ERR_IN_STATUS", "error code is in status"},
    {"MPI_ERR_ACCESS", "permission denied"},
    {"MPI_ERR_AMODE", "error related to the access mode passed to MPI_File_open"},
    {"MPI_ERR_ASSERT", "invalid assertion argument"},
    {"MPI_ERR_BAD_FILE", "invalid file name"},
    {"MPI_ERR_BASE", "invalid base passed to MPI_Free_mem"},
    {"MPI_ERR_CONVERSION", "error in a user-supplied data conversion function"},
    {"MPI_ERR_DISP", "invalid displacement argument"},
    {"MPI_ERR_DUP_DATAREP", "data representation identifier is already defined"},
    {"MPI_ERR_FILE_EXISTS", "file exists"},
    {"MPI_ERR_FILE_IN_USE",
     "file operation could not be completed: the file is open in some process"},
    {"MPI_ERR_FILE", "invalid file handle"},
    {"MPI_ERR_INFO_KEY", "info key longer than MPI_MAX_INFO_KEY, or empty"},
    {"MPI_ERR_INFO_NOKEY", "no such info key"},
    {"MPI_ERR_INFO_VALUE", "info value longer than MPI_MAX_INFO_VAL, or empty"},
    {"MPI_ERR_INFO", "invalid info object"},
    {"MPI_ERR_IO", "other input or output error"},
    {"MPI_ERR_KEYVAL", "invalid attribute key"},
    {"MPI_ERR_LOCKTYPE", "invalid lock type argument"},
    {"MPI_ERR_NAME", "service name is not published"},
    {"MPI_ERR_NO_MEM", "memory is exhausted"},
    {"MPI_ERR_NOT_SAME", "collective argument is not identical on all processes"},
    {"MPI_ERR_NO_SPACE", "not enough space"},
    {"MPI_ERR_NO_SUCH_FILE", "file does not exist"},
    {"MPI_ERR_PORT", "invalid port name"},
    {"MPI_ERR_QUOTA", "quota exceeded"},
    {"MPI_ERR_READ_ONLY", "read-only file or file system"},
    {"MPI_ERR_RMA_ATTACH", "memory cannot be attached"},
    {"MPI_ERR_RMA_CONFLICT", "conflicting accesses to a window"},
    {"MPI_ERR_RMA_RANGE", "target memory is not part of the window"},
    {"MPI_ERR_RMA_SHARED", "memory cannot be shared"},
    {"MPI_ERR_RMA_SYNC", "wrong synchronization of one-sided operations"},
    {"MPI_ERR_SERVICE", "invalid service name"},
    {"MPI_ERR_SIZE", "invalid size argument"},
    {"MPI_ERR_SPAWN", "error in spawning processes"},
    {"MPI_ERR_UNSUPPORTED_DATAREP", "unsupported data representation"},
    {"MPI_ERR_UNSUPPORTED_OPERATION", "unsupported operation"},
    {"MPI_ERR_WIN", "invalid window"},
    {"MPI_ERR_RMA_FLAVOR", "window has the wrong flavor"},
    {"MPI_ERR_PROC_ABORTED", "a peer process has aborted"},
    {"MPI_ERR_VALUE_TOO_LARGE", "value is too large to store"},
    {"MPI_ERR_SESSION", "invalid session"},
    {"MPI_ERR_ERRHANDLER", "invalid error handler"},
    {"MPI_ERR_ABI", "ABI mismatch"},
};
static_assert(std::size(classes) == MPI_ERR_ABI + 1);

// The classes of MPI_T, in the order of the ABI's numbers.
constexpr ClassText tool_classes[] = {
    {"MPI_T_ERR_CANNOT_INIT", "the tools interface cannot be initialized"},
    {"MPI_T_ERR_NOT_ACCESSIBLE", "functionality of the tools interface not accessible"},
    {"MPI_T_ERR_NOT_INITIALIZED", "the tools interface is not initialized"},
    {"MPI_T_ERR_NOT_SUPPORTED", "not supported by the tools interface"},
    {"MPI_T_ERR_MEMORY", "out of memory in the tools interface"},
    {"MPI_T_ERR_INVALID", "invalid use of the tools interface"},
    {"MPI_T_ERR_INVALID_INDEX", "invalid variable or category index"},
    {"MPI_T_ERR_INVALID_ITEM", "invalid item index"},
    {"MPI_T_ERR_INVALID_SESSION", "invalid performance-variable session"},
    {"MPI_T_ERR_INVALID_HANDLE", "invalid variable handle"},
    {"MPI_T_ERR_INVALID_NAME", "no variable or category of this name"},
    {"MPI_T_ERR_OUT_OF_HANDLES", "no more handles available"},
    {"MPI_T_ERR_OUT_OF_SESSIONS", "no more sessions available"},
    {"MPI_T_ERR_CVAR_SET_NOT_NOW", "control variable cannot be set at this moment"},
    {"MPI_T_ERR_CVAR_SET_NEVER", "control variable cannot be set until the end of execution"},
    {"MPI_T_ERR_PVAR_NO_WRITE", "performance variable cannot be written or reset"},
    {"MPI_T_ERR_PVAR_NO_STARTSTOP", "performance variable cannot be started or stopped"},
    {"MPI_T_ERR_PVAR_NO_ATOMIC", "performance variable cannot be read and written atomically"},
};
static_assert(std::size(tool_classes) == MPI_T_ERR_PVAR_NO_ATOMIC - MPI_T_ERR_CANNOT_INIT + 1);

const ClassText *find_predefined(int error_class) {
    if (error_class >= 0 && error_class <= MPI_ERR_ABI)
        return &classes[error_class];
    if (error_class >= MPI_T_ERR_CANNOT_INIT && error_class <= MPI_T_ERR_PVAR_NO_ATOMIC)
        return &tool_classes[error_class - MPI_T_ERR_CANNOT_INIT];
    static constexpr ClassText last{"MPI_ERR_LASTCODE", "last error code"};
    return error_class == MPI_ERR_LASTCODE ? &last : nullptr;
}

constexpr int first_added = MPI_ERR_LASTCODE + 1; // number of the first added code

// Returns the table of a rank; makes it for the first thread that asks.
ErrorCodes &codes_of(Process &process) {
    static SpinLock creation;
    LockGuard guard(creation);
    if (!process.error_codes)
        process.error_codes = new ErrorCodes;
    return *process.error_codes;
}

// Returns the entry of an added code, or nullptr. The caller holds the lock of `codes`.
ErrorCodes::Entry *find_added(ErrorCodes &codes, int code) {
    auto index = static_cast<size_t>(code - first_added);
    if (code < first_added || index >= codes.entries.size() || !codes.entries[index].used)
        return nullptr;
    return &codes.entries[index];
}

// Appends a code of `error_class`; 0: a new class. The caller holds the lock.
int add(ErrorCodes &codes, int error_class) {
    int code = first_added + static_cast<int>(codes.entries.size());
    codes.entries.push_back({true, error_class ? error_class : code, "", 0, codes.last_used, 0});
    if (ErrorCodes::Entry *previous = find_added(codes, codes.last_used))
        previous->next = code;
    if (ErrorCodes::Entry *own = error_class ? find_added(codes, error_class) : nullptr)
        ++own->codes;
    codes.last_used = code;
    return code;
}

// Removes an entry in constant time. Its number is not used again.
void remove(ErrorCodes &codes, ErrorCodes::Entry &entry) {
    entry.used = false;
    if (ErrorCodes::Entry *previous = find_added(codes, entry.previous))
        previous->next = entry.next;
    if (ErrorCodes::Entry *next = find_added(codes, entry.next))
        next->previous = entry.previous;
    else
        codes.last_used = entry.previous;
    if (ErrorCodes::Entry *own = find_added(codes, entry.error_class))
        --own->codes;
}

Error unknown_code(const char *name, int code) {
    return fail(MPI_ERR_ARG, "%s is %d, which is neither predefined nor added", name, code);
}

Error predefined_code(const char *name, int code) {
    return fail(MPI_ERR_ARG, "%s is %d, which is predefined and cannot be changed", name, code);
}

} // namespace

const char *error_class_name(int error_class) {
    const ClassText *found = find_predefined(error_class);
    return found ? found->name : nullptr;
}

const char *error_class_text(int error_class) {
    const ClassText *found = find_predefined(error_class);
    return found ? found->text : nullptr;
}

// Calls use(codes, entry) with the entry of an added code, under the lock.
template <class Use>
static Error with_added(Process &process, const char *name, int code, Use use) {
    ErrorCodes &codes = codes_of(process);
    LockGuard guard(codes.lock);
    ErrorCodes::Entry *entry = find_added(codes, code);
    return entry ? use(codes, *entry) : unknown_code(name, code);
}

// Does the same, but refuses predefined codes.
template <class Use>
static Error change_added(Process &process, const char *name, int code, Use use) {
    if (find_predefined(code))
        return predefined_code(name, code);
    return with_added(process, name, code, use);
}

Error find_error_class(Process &process, int code, int &error_class) {
    if (find_predefined(code)) {
        error_class = code;
        return success;
    }
    return with_added(process, "errorcode", code,
                      [&](const ErrorCodes &, const ErrorCodes::Entry &entry) {
                          error_class = entry.error_class;
                          return success;
                      });
}

Error find_error_text(Process &process, int code, std::string &text) {
    if (const ClassText *found = find_predefined(code)) {
        text = std::string(found->name) + ": " + found->text;
        return success;
    }
    return with_added(process, "errorcode", code,
                      [&](const ErrorCodes &, const ErrorCodes::Entry &entry) {
                          text = entry.text;
                          return success;
                      });
}

int add_error_class(Process &process) {
    ErrorCodes &codes = codes_of(process);
    LockGuard guard(codes.lock);
    return add(codes, 0);
}

// A class may be predefined or added; a code that is not a class is refused.
Error add_error_code(Process &process, int error_class, int &code) {
    int found_class = 0;
    if (find_error_class(process, error_class, found_class) || found_class != error_class)
        return unknown_code("errorclass", error_class);
    ErrorCodes &codes = codes_of(process);
    LockGuard guard(codes.lock);
    code = add(codes, error_class);
    return success;
}

Error set_error_text(Process &process, int code, const char *text) {
    return change_added(process, "errorcode", code, [&](ErrorCodes &, ErrorCodes::Entry &entry) {
        entry.text = text;
        return success;
    });
}

Error remove_error_class(Process &process, int error_class) {
    return change_added(
        process, "errorclass", error_class, [&](ErrorCodes &codes, ErrorCodes::Entry &entry) {
            if (entry.error_class != error_class)
                return unknown_code("errorclass", error_class);
            // Section 9.5.1: the codes and the string of a class must be removed first.
            if (entry.codes > 0)
                return fail(MPI_ERR_OTHER, "errorclass is %d, which still has error codes",
                            error_class);
            if (!entry.text.empty())
                return fail(MPI_ERR_OTHER, "errorclass is %d, which still has an error string",
                            error_class);
            remove(codes, entry);
            return success;
        });
}

Error remove_error_code(Process &process, int code) {
    return change_added(
        process, "errorcode", code, [&](ErrorCodes &codes, ErrorCodes::Entry &entry) {
            if (entry.error_class == code)
                return unknown_code("errorcode", code);
            if (!entry.text.empty())
                return fail(MPI_ERR_OTHER, "errorcode is %d, which still has an error string",
                            code);
            remove(codes, entry);
            return success;
        });
}

Error remove_error_text(Process &process, int code) {
    return change_added(process, "errorcode", code, [&](ErrorCodes &, ErrorCodes::Entry &entry) {
        if (entry.text.empty())
            return fail(MPI_ERR_OTHER, "errorcode is %d, which has no error string", code);
        entry.text.clear();
        return success;
    });
}

const int *last_used_code(Process &process) {
    return &codes_of(process).last_used;
}

const int *keep_last_used_code(Process &process, int number) {
    ErrorCodes &codes = codes_of(process);
    LockGuard guard(codes.lock);
    codes.last_used_in_front = number;
    return &codes.last_used_in_front;
}

} // namespace thrum
