// MPI_T: control variables (MPI 5.0 section 15.3.6): settings of the library, in trace/variables.h.
// No variable is bound to an object. Values are read and written for the calling rank.
#include "entry/entry.h"
#include "mpi/tool.h"

#include <climits>
#include <cstring>

namespace thrum::mpi {
namespace {

Error find_handle(ToolCall &call, MPI_T_cvar_handle handle) {
    return holds(call->controls, handle) ? success : bad_tool_handle("handle", handle);
}

// Returns how many elements of its datatype a value has: a text counts its null character. Texts do
// not change while the program runs, so the count stays right.
int elements_of(const ControlVariable &variable) {
    return variable.type == ValueType::Text ? static_cast<int>(std::strlen(variable.text())) + 1
                                            : 1;
}

} // namespace

Error t_cvar_get_num(int *num_cvar) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (!num_cvar)
        return no_result("num_cvar");
    *num_cvar = control_variables().size();
    return success;
}

Error t_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity,
                      MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len,
                      int *bind, int *scope) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = check_index("cvar_index", cvar_index, control_variables()))
        return error;
    const ControlVariable &variable = control_variables()[cvar_index];
    return_string(variable.name, name, name_len);
    return_value(verbosity, variable.verbosity);
    return_value(datatype, datatype_of(variable.type));
    return_value(enumtype, handle_of(variable.enumeration));
    return_string(variable.description, desc, desc_len);
    return_value(bind, MPI_T_BIND_NO_OBJECT);
    return_value(scope, variable.scope);
    return success;
}

Error t_cvar_get_index(const char *name, int *cvar_index) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    return find_by_name("control variable", control_variables(), name, cvar_index,
                        [](const ControlVariable &) { return true; });
}

// The object is ignored, as no variable is bound to one.
Error t_cvar_handle_alloc(int cvar_index, void *, MPI_T_cvar_handle *handle, int *count) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = check_index("cvar_index", cvar_index, control_variables()))
        return error;
    if (!handle)
        return no_result("handle");
    const ControlVariable &variable = control_variables()[cvar_index];
    *handle = new MPI_ABI_T_cvar_handle{&variable};
    call->controls.push_back(*handle);
    return_value(count, elements_of(variable));
    return success;
}

Error t_cvar_handle_free(MPI_T_cvar_handle *handle) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (!handle)
        return no_result("handle");
    if (Error error = find_handle(call, *handle))
        return error;
    std::erase(call->controls, *handle);
    delete *handle;
    *handle = MPI_T_CVAR_HANDLE_NULL;
    return success;
}

// The buffer has room for as many elements as MPI_T_cvar_handle_alloc has returned.
Error t_cvar_read(MPI_T_cvar_handle handle, void *buf) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_handle(call, handle))
        return error;
    if (!buf)
        return no_result("buf");
    const ControlVariable &variable = *handle->variable;
    if (variable.type == ValueType::Text)
        std::strcpy(static_cast<char *>(buf), variable.text()); // count says how long it is
    else if (variable.type == ValueType::Int)
        *static_cast<int *>(buf) = static_cast<int>(variable.read());
    else
        *static_cast<unsigned long long *>(buf) = static_cast<unsigned long long>(variable.read());
    return success;
}

// The variable's write function checks the value.
Error t_cvar_write(MPI_T_cvar_handle handle, const void *buf) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_handle(call, handle))
        return error;
    const ControlVariable &variable = *handle->variable;
    if (!variable.write)
        return fail(MPI_T_ERR_CVAR_SET_NEVER, "%s cannot be changed while the program runs",
                    variable.name);
    if (!buf)
        return no_result("buf");
    unsigned long long value = 0;
    if (variable.type == ValueType::Unsigned)
        value = *static_cast<const unsigned long long *>(buf);
    else
        value = static_cast<unsigned long long>(*static_cast<const int *>(buf));
    // A value too large for a signed number exceeds any useful limit, too.
    if (variable.type == ValueType::Unsigned)
        value = std::min<unsigned long long>(value, LLONG_MAX);
    if (!variable.write(static_cast<int64_t>(value)))
        return fail(MPI_T_ERR_INVALID, "%lld is not a valid value for %s",
                    static_cast<long long>(value), variable.name);
    return success;
}

} // namespace thrum::mpi
