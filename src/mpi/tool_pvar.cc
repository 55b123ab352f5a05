// MPI_T: performance variables (MPI 5.0 section 15.3.7). A variable is a sum (counters, aggregates,
// timers), a high-water mark, or a current value (levels, sizes, states). Only the first two can be
// started, stopped, reset and written, separately for each handle.
//
// The recorder (trace/recorder.h) counts once for all handles. A handle of a sum remembers the
// count at its start and shows the difference. The recorder's high-water mark is reset whenever a
// handle needs a new beginning; before that, every running handle takes the old mark over.
#include "comm/process.h"
#include "entry/entry.h"
#include "mpi/tool.h"

#include <cstring>

namespace thrum::mpi {
namespace {

// Sums only grow while they are counted, so a handle can show a difference.
bool is_sum(const PerformanceVariable &variable) {
    return variable.variable_class == MPI_T_PVAR_CLASS_COUNTER ||
           variable.variable_class == MPI_T_PVAR_CLASS_AGGREGATE ||
           variable.variable_class == MPI_T_PVAR_CLASS_TIMER;
}

bool is_watermark(const PerformanceVariable &variable) {
    return variable.variable_class == MPI_T_PVAR_CLASS_HIGHWATERMARK;
}

// Levels, sizes and states are what they are: reading them is all that is possible.
bool is_changeable(const PerformanceVariable &variable) {
    return is_sum(variable) || is_watermark(variable);
}

Recorder &recorder() {
    return recorder_of(current_process());
}

// Returns what has been counted so far, with the recorder's or the variable's own function; for a
// level, its current value; for a watermark, the recorder's mark.
uint64_t count_of(const MPI_ABI_T_pvar_handle &handle) {
    const PerformanceVariable &variable = *handle.variable;
    if (variable.read)
        return variable.read(handle.context);
    return recorder().value(variable.counted ? *variable.counted : variable, handle.counts);
}

// Calls use(handle) for the rank's running handles of a watermark.
template <class Use>
void for_running(ToolInterface &tools, const PerformanceVariable &variable, Use use) {
    for (MPI_T_pvar_session session : tools.sessions)
        for (MPI_T_pvar_handle handle : session->handles)
            if (handle->variable == &variable && handle->running)
                use(*handle);
}

// Resets the recorder's mark. It is one for all handles, so each running handle takes it over
// before.
void settle_watermark(ToolInterface &tools, const PerformanceVariable &variable) {
    const uint64_t mark = recorder().lower_watermark(variable);
    for_running(tools, variable, [mark](MPI_ABI_T_pvar_handle &handle) {
        handle.value = std::max(handle.value, mark);
    });
}

// Returns the handle's value now.
uint64_t value_of(ToolInterface &tools, MPI_ABI_T_pvar_handle &handle) {
    if (is_watermark(*handle.variable)) {
        if (handle.running) {
            settle_watermark(tools, *handle.variable);
            // After lowering, the current value starts the next mark.
            handle.value = std::max(handle.value, count_of(handle));
        }
        return handle.value;
    }
    if (!is_sum(*handle.variable))
        return count_of(handle);
    return handle.running ? handle.value + count_of(handle) - handle.since : handle.value;
}

// Sets the value; a running handle goes on from it.
void set_value(ToolInterface &tools, MPI_ABI_T_pvar_handle &handle, uint64_t value) {
    if (is_watermark(*handle.variable) && handle.running)
        settle_watermark(tools, *handle.variable);
    else if (handle.running)
        handle.since = count_of(handle);
    handle.value = value;
}

// A watermark restarts from the current value, a sum from 0.
void reset_handle(ToolInterface &tools, MPI_ABI_T_pvar_handle &handle) {
    set_value(tools, handle, 0);
    if (is_watermark(*handle.variable))
        handle.value = count_of(handle);
}

// Starting is idempotent. A watermark begins with the larger of its old value and the current one.
void start_handle(ToolInterface &tools, MPI_ABI_T_pvar_handle &handle) {
    if (handle.running)
        return;
    if (is_watermark(*handle.variable)) {
        settle_watermark(tools, *handle.variable);
        handle.value = std::max(handle.value, count_of(handle));
    } else {
        handle.since = count_of(handle);
    }
    handle.running = true;
}

void stop_handle(ToolInterface &tools, MPI_ABI_T_pvar_handle &handle) {
    handle.value = value_of(tools, handle);
    handle.running = false;
}

// Reads the value and resets the handle from one reading of the count, so nothing that is counted
// in between is lost.
uint64_t read_and_reset(ToolInterface &tools, MPI_ABI_T_pvar_handle &handle) {
    if (is_watermark(*handle.variable)) {
        const uint64_t value = value_of(tools, handle);
        reset_handle(tools, handle);
        return value;
    }
    const uint64_t now = count_of(handle);
    const uint64_t value = handle.running ? handle.value + now - handle.since : handle.value;
    handle.value = 0;
    handle.since = now;
    return value;
}

// Stops counting for the handle, and frees it.
void free_handle(MPI_T_pvar_handle handle) {
    if (handle->counts)
        recorder().drop_counts(*handle->counts);
    listeners.fetch_sub(1, std::memory_order_relaxed);
    delete handle;
}

void free_session(MPI_T_pvar_session session) {
    for (MPI_T_pvar_handle handle : session->handles)
        free_handle(handle);
    delete session;
}

// Checks a session of the calling rank.
Error find_session(ToolCall &call, MPI_T_pvar_session session) {
    return holds(call->sessions, session)
               ? success
               : fail(MPI_T_ERR_INVALID_SESSION, "pe_session is %p, which is not a session",
                      static_cast<void *>(session));
}

// Checks a session, and a handle in it.
Error find_handle(ToolCall &call, MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    if (Error error = find_session(call, session))
        return error;
    if (handle == MPI_T_PVAR_ALL_HANDLES)
        return fail(MPI_T_ERR_INVALID_HANDLE,
                    "handle is MPI_T_PVAR_ALL_HANDLES, but this function takes a single handle");
    return holds(session->handles, handle)
               ? success
               : fail(MPI_T_ERR_INVALID_HANDLE, "handle is %p, which is not a handle of pe_session",
                      static_cast<void *>(handle));
}

// Stores a value in the variable's datatype.
void give(const PerformanceVariable &variable, uint64_t value, void *buf) {
    if (variable.type == ValueType::Int)
        *static_cast<int *>(buf) = static_cast<int>(value);
    else
        *static_cast<unsigned long long *>(buf) = value;
}

uint64_t taken(const PerformanceVariable &variable, const void *buf) {
    return variable.type == ValueType::Int ? static_cast<uint64_t>(*static_cast<const int *>(buf))
                                           : *static_cast<const unsigned long long *>(buf);
}

Error no_start_stop(const PerformanceVariable &variable) {
    return fail(MPI_T_ERR_PVAR_NO_STARTSTOP, "%s is always active", variable.name);
}

Error no_write(const PerformanceVariable &variable) {
    return fail(MPI_T_ERR_PVAR_NO_WRITE, "%s can only be read", variable.name);
}

// Calls change(handle) for one handle. Fails with the error that refuse() makes if that variable
// cannot be changed. MPI_T_PVAR_ALL_HANDLES: changes those of the session that can be.
template <class Change>
Error change_handles(MPI_T_pvar_session session, MPI_T_pvar_handle handle,
                     Error (*refuse)(const PerformanceVariable &), Change change) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    ToolInterface &tools = *call.operator->();
    if (handle == MPI_T_PVAR_ALL_HANDLES) {
        if (Error error = find_session(call, session))
            return error;
        for (MPI_T_pvar_handle each : session->handles)
            if (is_changeable(*each->variable))
                change(tools, *each);
        return success;
    }
    if (Error error = find_handle(call, session, handle))
        return error;
    if (!is_changeable(*handle->variable))
        return refuse(*handle->variable);
    change(tools, *handle);
    return success;
}

} // namespace

void free_performance_sessions(ToolInterface &tools) {
    for (MPI_T_pvar_session session : tools.sessions)
        free_session(session);
    tools.sessions.clear();
}

Error t_pvar_get_num(int *num_pvar) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (!num_pvar)
        return no_result("num_pvar");
    *num_pvar = performance_variables().size();
    return success;
}

// A variable that cannot be started is continuous, and all that can be changed can be read and
// reset in one step.
Error t_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
                      MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len,
                      int *bind, int *readonly, int *continuous, int *atomic) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = check_index("pvar_index", pvar_index, performance_variables()))
        return error;
    const PerformanceVariable &variable = performance_variables()[pvar_index];
    return_string(variable.name, name, name_len);
    return_value(verbosity, variable.verbosity);
    return_value(var_class, variable.variable_class);
    return_value(datatype, datatype_of(variable.type));
    return_value(enumtype, handle_of(variable.enumeration));
    return_string(variable.description, desc, desc_len);
    return_value(bind, variable.bind);
    return_value(readonly, !is_changeable(variable));
    return_value(continuous, !is_changeable(variable));
    return_value(atomic, is_changeable(variable));
    return success;
}

// Variables are identified by name and class.
Error t_pvar_get_index(const char *name, int var_class, int *pvar_index) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    return find_by_name("performance variable of this class", performance_variables(), name,
                        pvar_index, [var_class](const PerformanceVariable &variable) {
                            return variable.variable_class == var_class;
                        });
}

Error t_pvar_session_create(MPI_T_pvar_session *pe_session) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (!pe_session)
        return no_result("pe_session");
    *pe_session = new MPI_ABI_T_pvar_session;
    call->sessions.push_back(*pe_session);
    return success;
}

// Frees the handles of the session, too.
Error t_pvar_session_free(MPI_T_pvar_session *pe_session) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (!pe_session)
        return no_result("pe_session");
    if (Error error = find_session(call, *pe_session))
        return error;
    std::erase(call->sessions, *pe_session);
    free_session(*pe_session);
    *pe_session = MPI_T_PVAR_SESSION_NULL;
    return success;
}

// `listeners` makes all ranks count from now on: the message path looks only at that number.
Error t_pvar_handle_alloc(MPI_T_pvar_session pe_session, int pvar_index, void *obj_handle,
                          MPI_T_pvar_handle *handle, int *count) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_session(call, pe_session))
        return error;
    if (Error error = check_index("pvar_index", pvar_index, performance_variables()))
        return error;
    if (!handle)
        return no_result("handle");
    const PerformanceVariable &variable = performance_variables()[pvar_index];
    uint32_t context = 0;
    if (Error error = bind_object(variable.bind, obj_handle, context))
        return error;
    auto *made = new MPI_ABI_T_pvar_handle{.variable = &variable, .context = context};
    listeners.fetch_add(1, std::memory_order_relaxed);
    Recorder &own = recorder();
    // A variable of a communicator is counted separately while a handle exists.
    if (variable.counted)
        made->counts = &own.take_counts(context);
    // A watermark that was never started shows the value at its allocation.
    if (is_watermark(variable))
        made->value = count_of(*made);
    pe_session->handles.push_back(made);
    *handle = made;
    return_value(count, 1);
    return success;
}

Error t_pvar_handle_free(MPI_T_pvar_session pe_session, MPI_T_pvar_handle *handle) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (!handle)
        return no_result("handle");
    if (Error error = find_handle(call, pe_session, *handle))
        return error;
    std::erase(pe_session->handles, *handle);
    free_handle(*handle);
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return success;
}

Error t_pvar_start(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle) {
    return change_handles(pe_session, handle, no_start_stop, start_handle);
}

Error t_pvar_stop(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle) {
    return change_handles(pe_session, handle, no_start_stop, stop_handle);
}

Error t_pvar_reset(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle) {
    return change_handles(pe_session, handle, no_write, reset_handle);
}

// Reading does not stop the variable.
Error t_pvar_read(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle, void *buf) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_handle(call, pe_session, handle))
        return error;
    if (!buf)
        return no_result("buf");
    const PerformanceVariable &variable = *handle->variable;
    if (variable.type == ValueType::Double)
        *static_cast<double *>(buf) = variable.read_double(handle->context);
    else
        give(variable, value_of(*call.operator->(), *handle), buf);
    return success;
}

Error t_pvar_readreset(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle, void *buf) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_handle(call, pe_session, handle))
        return error;
    if (!is_changeable(*handle->variable))
        return fail(MPI_T_ERR_PVAR_NO_ATOMIC, "%s can only be read", handle->variable->name);
    if (!buf)
        return no_result("buf");
    give(*handle->variable, read_and_reset(*call.operator->(), *handle), buf);
    return success;
}

// The value is what a read would return now; a running handle goes on from it.
Error t_pvar_write(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle, const void *buf) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_handle(call, pe_session, handle))
        return error;
    if (!is_changeable(*handle->variable))
        return no_write(*handle->variable);
    if (!buf)
        return no_result("buf");
    set_value(*call.operator->(), *handle, taken(*handle->variable, buf));
    return success;
}

} // namespace thrum::mpi
