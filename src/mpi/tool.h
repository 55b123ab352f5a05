// The MPI tool information interface (MPI 5.0 section 15.3): the objects of a rank's tools, and
// what tool*.cc share. The variables themselves are in the tables of trace/variables.h; what is
// counted and recorded is in trace/recorder.h.
//
// Every rank has its own interface. Handles are addresses. A handle is valid if it is in the
// interface's lists, so a stale or foreign handle is detected without accessing its memory.
//
// Each function of MPI_T begins with a ToolCall, which locks the interface. Callbacks run without
// that lock.
#pragma once
#include "entry/calls.h"
#include "trace/recorder.h"

#include <algorithm>
#include <vector>

// A handle of a control variable.
struct MPI_ABI_T_cvar_handle {
    const thrum::ControlVariable *variable;
};

// A handle of a performance variable in a session. Guarded by the interface's lock.
struct MPI_ABI_T_pvar_handle {
    const thrum::PerformanceVariable *variable;
    uint32_t context = 0;            // context id of the communicator that it is bound to
    thrum::Counts *counts = nullptr; // counts of that communicator, if any
    bool running = false;            // between MPI_T_pvar_start and _stop
    // The value while it is stopped. A running sum has the value `value` + now - `since`; a running
    // watermark is the larger of `value` and the recorder's.
    uint64_t value = 0;
    uint64_t since = 0; // a running sum: the count when it was started
};

// A session, with its handles.
struct MPI_ABI_T_pvar_session {
    std::vector<MPI_T_pvar_handle> handles;
};

// A registration for a type of event, perhaps bound to a communicator.
struct MPI_ABI_T_event_registration {
    const thrum::EventType *type;
    uint32_t context = 0;
    MPI_T_event_dropped_cb_function *dropped = nullptr;

    // One for each level of safety, lowest first.
    struct Callback {
        MPI_T_event_cb_function *function = nullptr;
        void *user_data = nullptr;
    } callbacks[4];
};

// An event while its callbacks run; on the stack of the call that delivers it.
struct MPI_ABI_T_event_instance {
    const thrum::EventRecord *record;
};

namespace thrum {

// The tools interface of one rank, from its first MPI_T_init_thread to the rank's end.
struct ToolInterface {
    SpinLock lock;       // guards everything below; not held while a callback runs
    int initialized = 0; // MPI_T_init_thread less MPI_T_finalize
    std::vector<MPI_T_cvar_handle> controls;
    std::vector<MPI_T_pvar_session> sessions;
    std::vector<MPI_T_event_registration> registrations;
    // The event whose callback is running: the only instance that is valid.
    const MPI_ABI_T_event_instance *told = nullptr;
    // A thread of the rank is in tell_tools(): only one at a time, so events keep their order.
    std::atomic<bool> telling{false};
};

// Made by MPI_T_init_thread.
inline const Extension<Process, ToolInterface> tool_interfaces;

namespace mpi {

// Locks the calling rank's interface during its life. error() is MPI_T_ERR_NOT_INITIALIZED unless
// the interface is initialized; then nothing else may be used.
class ToolCall {
public:
    ToolCall();
    ~ToolCall();
    ToolCall(const ToolCall &) = delete;
    ToolCall &operator=(const ToolCall &) = delete;

    Error error() const { return error_; }

    ToolInterface *operator->() const { return tools_; }

private:
    ToolInterface *tools_;
    Error error_;
};

// Returns a string as section 15.3.3 requires: as much as fits into `*length` bytes, and in
// `*length` the bytes that it needs. Both pointers may be null.
void return_string(const char *text, char *buffer, int *length);

// Stores a result. Results that the caller does not want have null pointers.
template <class T, class Value>
void return_value(T *where, const Value &value) {
    if (where)
        *where = value;
}

// Errors of arguments that several functions have in common.
Error no_result(const char *argument); // MPI_T_ERR_INVALID: the pointer is null
Error bad_index(const char *argument, int index, int size);
Error bad_name(const char *kind, const char *name);
Error bad_tool_handle(const char *argument, const void *handle);

// Checks an index into a table.
template <class Kind>
Error check_index(const char *argument, int index, const Registered<Kind> &table) {
    return table.contains(index) ? success : bad_index(argument, index, table.size());
}

// Returns whether a handle is in a list, by its address only.
template <class List, class Handle>
bool holds(const List &list, Handle handle) {
    return std::find(list.begin(), list.end(), handle) != list.end();
}

// Finds the index of `name` among the objects of a table for which accept(object) is true.
template <class Kind, class Accept>
Error find_by_name(const char *kind, const Registered<Kind> &table, const char *name, int *index,
                   Accept accept) {
    if (!name)
        return no_result("name");
    if (!index)
        return no_result("index");
    for (const Kind &object : table)
        if (__builtin_strcmp(object.name, name) == 0 && accept(object)) {
            *index = table.index_of(object);
            return success;
        }
    return bad_name(kind, name);
}

// Returns the datatype in which values of this type are passed to the tool.
MPI_Datatype datatype_of(ValueType type);
// An enumeration's handle is its address; nullptr becomes MPI_T_ENUM_NULL.
MPI_T_enum handle_of(const Enumeration *enumeration);

// Sets `context` to the context id of the communicator whose handle is at `object`, if `bind` asks
// for one. Fails if the handle is not valid now.
Error bind_object(int bind, const void *object, uint32_t &context);

// Release everything that the rank's tools hold. The interface is locked.
void free_performance_sessions(ToolInterface &tools);
void free_registrations(ToolInterface &tools);

} // namespace mpi
} // namespace thrum
