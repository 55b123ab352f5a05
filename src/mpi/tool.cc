// MPI_T: initialization, enumerations and categories (MPI 5.0 sections 15.3.4, 15.3.5, 15.3.9), and
// the helpers that all tool*.cc use. All tables are complete when the library is loaded, so indices
// never change.
#include "mpi/tool.h"

#include "comm/process.h"
#include "entry/entry.h"

#include <cstring>

namespace thrum::mpi {
namespace {

// Returns whether a table uses this enumeration: only then its address is a valid handle.
bool is_known(const Enumeration *enumeration) {
    for (const ControlVariable &variable : control_variables())
        if (variable.enumeration == enumeration)
            return true;
    for (const PerformanceVariable &variable : performance_variables())
        if (variable.enumeration == enumeration)
            return true;
    for (const EventType &type : event_types())
        if (type.elements == enumeration)
            return true;
    return false;
}

Error find_enumeration(MPI_T_enum handle, const Enumeration *&enumeration) {
    enumeration = reinterpret_cast<const Enumeration *>(handle);
    return enumeration && is_known(enumeration) ? success : bad_tool_handle("enumtype", handle);
}

// An object names its category; a category names its parent.
template <class Kind>
bool is_in(const Kind &object, const Category &category) {
    return std::strcmp(object.category, category.name) == 0;
}

bool is_in(const Category &object, const Category &category) {
    return object.parent && std::strcmp(object.parent, category.name) == 0;
}

// Counts the objects of a table that belong to a category.
template <class Kind>
int count_members(const Registered<Kind> &table, const Category &category) {
    int count = 0;
    for (const Kind &object : table)
        count += is_in(object, category);
    return count;
}

// Stores the indices of a category's members, at most `len` of them.
template <class Kind>
Error list_members(const Registered<Kind> &table, int cat_index, int len, int *indices) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = check_index("cat_index", cat_index, categories()))
        return error;
    if (len < 0)
        return fail(MPI_T_ERR_INVALID, "len is %d, but must not be negative", len);
    if (len > 0 && !indices)
        return no_result("indices");
    int found = 0;
    for (const Kind &object : table)
        if (found < len && is_in(object, categories()[cat_index]))
            indices[found++] = table.index_of(object);
    return success;
}

// Returns a number that needs no argument but the place where it is stored.
Error give_number(const char *argument, int *where, int number) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (!where)
        return no_result(argument);
    *where = number;
    return success;
}

} // namespace

// Without an interface (MPI_T_init_thread was never called) there is nothing to lock.
ToolCall::ToolCall() : tools_(tool_interfaces.of(current_process()).get()) {
    if (tools_)
        tools_->lock.lock();
    if (!tools_ || tools_->initialized == 0)
        error_ = fail(MPI_T_ERR_NOT_INITIALIZED, "called without MPI_T_init_thread");
}

ToolCall::~ToolCall() {
    if (tools_)
        tools_->lock.unlock();
}

void return_string(const char *text, char *buffer, int *length) {
    if (!length)
        return;
    const auto needed = static_cast<int>(std::strlen(text)) + 1;
    // `*length` is both: the size of the buffer, and where the needed size is stored.
    const int room = *length;
    if (buffer && room > 0) {
        const int copied = std::min(needed, room) - 1;
        std::memcpy(buffer, text, static_cast<size_t>(copied));
        buffer[copied] = '\0';
    }
    *length = needed;
}

Error no_result(const char *argument) {
    return fail(MPI_T_ERR_INVALID, "%s is a null pointer", argument);
}

Error bad_index(const char *argument, int index, int size) {
    return fail(MPI_T_ERR_INVALID_INDEX, "%s is %d, but must be 0 to %d", argument, index,
                size - 1);
}

Error bad_name(const char *kind, const char *name) {
    return fail(MPI_T_ERR_INVALID_NAME, "name is \"%s\", but there is no such %s", name, kind);
}

Error bad_tool_handle(const char *argument, const void *handle) {
    return fail(MPI_T_ERR_INVALID_HANDLE, "%s is %p, which is not a valid handle", argument,
                handle);
}

MPI_Datatype datatype_of(ValueType type) {
    switch (type) {
    case ValueType::Int:
        return MPI_INT;
    case ValueType::Unsigned:
        return MPI_UNSIGNED_LONG_LONG;
    case ValueType::Double:
        return MPI_DOUBLE;
    case ValueType::Text:
        return MPI_CHAR;
    }
    return MPI_DATATYPE_NULL;
}

MPI_T_enum handle_of(const Enumeration *enumeration) {
    return reinterpret_cast<MPI_T_enum>(const_cast<Enumeration *>(enumeration));
}

// The context id outlives the communicator, so a handle that stays bound to a freed one is
// harmless.
Error bind_object(int bind, const void *object, uint32_t &context) {
    if (bind == MPI_T_BIND_NO_OBJECT)
        return success;
    if (!object)
        return no_result("obj_handle");
    // Section 15.3.2: a handle that no other MPI call would accept now is invalid here, too.
    const MPI_Comm handle = *static_cast<const MPI_Comm *>(object);
    const Process &process = current_process();
    const bool active = process.state.load(std::memory_order_relaxed) == ProcessState::Initialized;
    const Communicator *comm = active ? find_communicator(handle) : nullptr;
    if (!comm)
        return fail(MPI_T_ERR_INVALID_HANDLE,
                    active ? "obj_handle refers to %p, which is not a communicator"
                           : "obj_handle refers to %p, but there are no communicators before "
                             "MPI_Init and after MPI_Finalize",
                    static_cast<const void *>(handle));
    context = comm->context->id;
    return success;
}

// May be called at any time, also before MPI_Init, and several times.
Error t_init_thread(int required, int *provided) {
    if (required != MPI_THREAD_SINGLE && required != MPI_THREAD_FUNNELED &&
        required != MPI_THREAD_SERIALIZED && required != MPI_THREAD_MULTIPLE)
        return fail(MPI_T_ERR_INVALID, "required is %d, which is not a level of thread support",
                    required);
    // It is kept after MPI_T_finalize, because it may be initialized again.
    ToolInterface &tools = tool_interfaces.of(current_process()).get_or_make();
    LockGuard guard(tools.lock);
    ++tools.initialized;
    // whatever level was requested, like MPI_Init_thread
    return_value(provided, MPI_THREAD_MULTIPLE);
    return success;
}

// The last call frees everything that tools hold; the interface itself stays for the next
// MPI_T_init_thread.
Error t_finalize() {
    ToolCall call;
    if (Error error = call.error())
        return error;
    // Calls nest: every MPI_T_init_thread needs a MPI_T_finalize.
    if (--call->initialized > 0)
        return success;
    for (MPI_T_cvar_handle handle : call->controls)
        delete handle;
    call->controls.clear();
    free_performance_sessions(*call.operator->());
    free_registrations(*call.operator->());
    return success;
}

Error t_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    const Enumeration *enumeration;
    if (Error error = find_enumeration(enumtype, enumeration))
        return error;
    return_value(num, enumeration->size);
    return_string(enumeration->name, name, name_len);
    return success;
}

// Values are the indices of the items.
Error t_enum_get_item(MPI_T_enum enumtype, int index, int *value, char *name, int *name_len) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    const Enumeration *enumeration;
    if (Error error = find_enumeration(enumtype, enumeration))
        return error;
    if (index < 0 || index >= enumeration->size)
        return bad_index("index", index, enumeration->size);
    return_value(value, index);
    return_string(enumeration->items[index], name, name_len);
    return success;
}

Error t_category_get_num(int *num_cat) {
    return give_number("num_cat", num_cat, categories().size());
}

// Null pointers are results that the tool does not want.
Error t_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len,
                          int *num_cvars, int *num_pvars, int *num_categories) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = check_index("cat_index", cat_index, categories()))
        return error;
    const Category &category = categories()[cat_index];
    return_string(category.name, name, name_len);
    return_string(category.description, desc, desc_len);
    return_value(num_cvars, count_members(control_variables(), category));
    return_value(num_pvars, count_members(performance_variables(), category));
    return_value(num_categories, count_members(categories(), category));
    return success;
}

Error t_category_get_num_events(int cat_index, int *num_events) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = check_index("cat_index", cat_index, categories()))
        return error;
    if (!num_events)
        return no_result("num_events");
    *num_events = count_members(event_types(), categories()[cat_index]);
    return success;
}

Error t_category_get_index(const char *name, int *cat_index) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    return find_by_name("category", categories(), name, cat_index,
                        [](const Category &) { return true; });
}

Error t_category_get_cvars(int cat_index, int len, int indices[]) {
    return list_members(control_variables(), cat_index, len, indices);
}

Error t_category_get_pvars(int cat_index, int len, int indices[]) {
    return list_members(performance_variables(), cat_index, len, indices);
}

Error t_category_get_events(int cat_index, int len, int indices[]) {
    return list_members(event_types(), cat_index, len, indices);
}

Error t_category_get_categories(int cat_index, int len, int indices[]) {
    return list_members(categories(), cat_index, len, indices);
}

// All categories and their members exist from the start, so the number never changes.
Error t_category_changed(int *update_number) {
    return give_number("update_number", update_number, 0);
}

} // namespace thrum::mpi
