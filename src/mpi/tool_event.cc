// MPI_T: events and their sources (MPI 5.0 section 15.3.8). Events are recorded where they happen,
// by any rank (trace/recorder.h). The rank that they belong to delivers them at the end of its next
// MPI call (tell_tools()), so a callback may do whatever a program may (MPI_T_CB_REQUIRE_NONE).
//
// Callbacks may call MPI_T, so the interface is unlocked while one runs, and each registration is
// looked up again before its callback is called.
#include "base/clock.h"
#include "comm/process.h"
#include "entry/entry.h"
#include "mpi/tool.h"

#include <climits>
#include <cstring>

namespace thrum {
namespace mpi {
namespace {

constexpr int levels = 4; // of callback safety
constexpr MPI_T_cb_safety safety_levels[levels] = {
    MPI_T_CB_REQUIRE_NONE, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_T_CB_REQUIRE_THREAD_SAFE,
    MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE};

// There is one source: the rank, whose events are in chronological order.
constexpr int sources = 1;

// Sets `level` to the index of a level of safety in MPI_ABI_T_event_registration::callbacks.
Error find_level(MPI_T_cb_safety safety, int &level) {
    for (level = 0; level < levels; ++level)
        if (safety_levels[level] == safety)
            return success;
    return fail(MPI_T_ERR_INVALID, "cb_safety is %d, which is not a level of callback safety",
                static_cast<int>(safety));
}

Error find_registration(ToolCall &call, MPI_T_event_registration registration) {
    return holds(call->registrations, registration)
               ? success
               : bad_tool_handle("event_registration", registration);
}

// Checks that the instance is the event being delivered: it is not valid outside its callback.
Error find_instance(ToolCall &call, MPI_T_event_instance instance) {
    return instance && call->told == instance
               ? success
               : fail(MPI_T_ERR_INVALID_HANDLE,
                      "event_instance is %p, which is not the event being delivered",
                      static_cast<void *>(instance));
}

// Hints are ignored, but must be an info.
Error check_hints(MPI_Info info) {
    return info == MPI_INFO_NULL || find_info(info)
               ? success
               : fail(MPI_T_ERR_INVALID, "info is %p, which is not an info object",
                      static_cast<void *>(info));
}

// Sources, registrations and callbacks have no hints, so the result is empty.
Error give_no_hints(MPI_Info *info_used) {
    if (!info_used)
        return no_result("info_used");
    *info_used = thrum::handle_of(*new_info());
    return success;
}

size_t bytes_of(ValueType type) {
    return type == ValueType::Int ? sizeof(int) : sizeof(unsigned long long);
}

int element_count(const EventType &type) {
    return type.elements->size;
}

// Returns the byte displacement of element `index` in the event's buffer: each element is aligned
// to its size, as in a C struct.
size_t displacement_of(const EventType &type, int index) {
    size_t end = 0, begin = 0;
    for (int i = 0; i <= index; ++i) {
        const size_t bytes = bytes_of(type.types[i]);
        begin = (end + bytes - 1) / bytes * bytes;
        end = begin + bytes;
    }
    return begin;
}

// Stores one element in its datatype; the buffer need not be aligned.
void give_element(const EventRecord &record, int index, void *buffer) {
    if (record.type->types[index] == ValueType::Int) {
        const auto value = static_cast<int>(record.elements[index]);
        std::memcpy(buffer, &value, sizeof value);
    } else {
        std::memcpy(buffer, &record.elements[index], sizeof record.elements[index]);
    }
}

// Returns the registered callback with the lowest level, or nullptr. All levels are sufficient.
const MPI_ABI_T_event_registration::Callback *
chosen_callback(const MPI_ABI_T_event_registration &registration) {
    for (const auto &callback : registration.callbacks)
        if (callback.function)
            return &callback;
    return nullptr;
}

// Takes back the registration's interest and frees it. Events that were recorded for it are dropped
// by for_interested(), which does not find it any more.
void free_registration(MPI_T_event_registration registration) {
    if (chosen_callback(*registration))
        recorder_of(current_process()).change_interest(*registration->type, -1);
    listeners.fetch_sub(1, std::memory_order_relaxed);
    follow_ups.fetch_sub(1, std::memory_order_relaxed);
    delete registration;
}

// Calls call(registration, callback) for each registration that is for events of `type` and has a
// callback, with the interface locked; call() unlocks it. Registrations are copied first: a
// callback may free some or add others.
template <class Call>
void for_interested(ToolInterface &tools, const EventType &type, Call call) MAY_SUSPEND {
    tools.lock.lock();
    const std::vector<MPI_T_event_registration> all = tools.registrations;
    tools.lock.unlock();
    for (MPI_T_event_registration registration : all) {
        tools.lock.lock();
        // A callback may have freed it.
        const auto *callback =
            holds(tools.registrations, registration) && registration->type == &type
                ? chosen_callback(*registration)
                : nullptr;
        if (callback)
            call(registration, MPI_ABI_T_event_registration::Callback{*callback}); // unlocks
        else
            tools.lock.unlock();
    }
}

// Delivers one event: calls the callbacks without the lock, because they may call any function of
// MPI_T.
void tell(ToolInterface &tools, const EventRecord &record) MAY_SUSPEND {
    for_interested(tools, *record.type, [&](MPI_T_event_registration registration, auto callback) {
        // The registration is for another communicator.
        if (record.type->bind != MPI_T_BIND_NO_OBJECT && registration->context != record.context) {
            tools.lock.unlock();
            return;
        }
        MPI_ABI_T_event_instance instance{&record};
        // Only this instance is valid, and only while its callback runs.
        tools.told = &instance;
        tools.lock.unlock();
        callback.function(&instance, registration, MPI_T_CB_REQUIRE_NONE, callback.user_data);
        LockGuard guard(tools.lock);
        tools.told = nullptr;
    });
}

// Tells the registrations how many events of their type were dropped, as section 15.3.8 requires.
void tell_losses(ToolInterface &tools, Recorder &recorder) MAY_SUSPEND {
    for (const EventType &type : event_types()) {
        const uint64_t lost = recorder.take_dropped(type);
        if (lost == 0)
            continue;
        for_interested(tools, type, [&](MPI_T_event_registration registration, auto callback) {
            MPI_T_event_dropped_cb_function *dropped = registration->dropped;
            tools.lock.unlock();
            if (dropped)
                dropped(static_cast<MPI_Count>(lost), registration, 0, MPI_T_CB_REQUIRE_NONE,
                        callback.user_data);
        });
    }
}

} // namespace

void free_registrations(ToolInterface &tools) {
    for (MPI_T_event_registration registration : tools.registrations)
        free_registration(registration);
    tools.registrations.clear();
}

Error t_source_get_num(int *num_sources) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (!num_sources)
        return no_result("num_sources");
    *num_sources = sources;
    return success;
}

// Ticks are nanoseconds.
Error t_source_get_info(int source_index, char *name, int *name_len, char *desc, int *desc_len,
                        MPI_T_source_order *ordering, MPI_Count *ticks_per_second,
                        MPI_Count *max_ticks, MPI_Info *info) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (source_index < 0 || source_index >= sources)
        return bad_index("source_index", source_index, sources);
    return_string("rank", name, name_len);
    return_string("events of this rank, in chronological order", desc, desc_len);
    return_value(ordering, MPI_T_SOURCE_ORDERED);
    return_value(ticks_per_second, MPI_Count{1'000'000'000});
    return_value(max_ticks, MPI_Count{LLONG_MAX});
    return info ? give_no_hints(info) : success;
}

Error t_source_get_timestamp(int source_index, MPI_Count *timestamp) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (source_index < 0 || source_index >= sources)
        return bad_index("source_index", source_index, sources);
    if (!timestamp)
        return no_result("timestamp");
    *timestamp = now_ns();
    return success;
}

Error t_event_get_num(int *num_events) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (!num_events)
        return no_result("num_events");
    *num_events = event_types().size();
    return success;
}

// Describes the elements of an event and their places in the buffer of MPI_T_event_copy.
Error t_event_get_info(int event_index, char *name, int *name_len, int *verbosity,
                       MPI_Datatype array_of_datatypes[], MPI_Aint array_of_displacements[],
                       int *num_elements, MPI_T_enum *enumtype, MPI_Info *info, char *desc,
                       int *desc_len, int *bind) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = check_index("event_index", event_index, event_types()))
        return error;
    const EventType &type = event_types()[event_index];
    if (num_elements) {
        // `num_elements` is both: the room in the arrays, and the number of elements.
        const int wanted = std::min(*num_elements, element_count(type));
        for (int i = 0; i < wanted; ++i) {
            if (array_of_datatypes)
                array_of_datatypes[i] = datatype_of(type.types[i]);
            if (array_of_displacements)
                array_of_displacements[i] = static_cast<MPI_Aint>(displacement_of(type, i));
        }
        *num_elements = element_count(type);
    }
    return_string(type.name, name, name_len);
    return_value(verbosity, type.verbosity);
    return_value(enumtype, handle_of(type.elements));
    return_string(type.description, desc, desc_len);
    return_value(bind, type.bind);
    return info ? give_no_hints(info) : success;
}

Error t_event_get_index(const char *name, int *event_index) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    return find_by_name("event type", event_types(), name, event_index,
                        [](const EventType &) { return true; });
}

// The rank's recorder is made here if there is none: it must exist before events are recorded.
Error t_event_handle_alloc(int event_index, void *obj_handle, MPI_Info info,
                           MPI_T_event_registration *event_registration) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = check_index("event_index", event_index, event_types()))
        return error;
    if (!event_registration)
        return no_result("event_registration");
    if (Error error = check_hints(info))
        return error;
    const EventType &type = event_types()[event_index];
    uint32_t context = 0;
    if (Error error = bind_object(type.bind, obj_handle, context))
        return error;
    (void)recorder_of(current_process());
    listeners.fetch_add(1, std::memory_order_relaxed);
    follow_ups.fetch_add(1, std::memory_order_relaxed);
    *event_registration =
        new MPI_ABI_T_event_registration{.type = &type, .context = context, .callbacks = {}};
    call->registrations.push_back(*event_registration);
    return success;
}

// Takes the registration out of the list first, then calls the free callback without the lock. Then
// no event can be delivered to it.
Error t_event_handle_free(MPI_T_event_registration event_registration, void *user_data,
                          MPI_T_event_free_cb_function free_cb_function) {
    {
        ToolCall call;
        if (Error error = call.error())
            return error;
        if (Error error = find_registration(call, event_registration))
            return error;
        std::erase(call->registrations, event_registration);
    }
    if (free_cb_function)
        free_cb_function(event_registration, MPI_T_CB_REQUIRE_NONE, user_data);
    free_registration(event_registration);
    return success;
}

Error t_event_handle_set_info(MPI_T_event_registration event_registration, MPI_Info info) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_registration(call, event_registration))
        return error;
    return check_hints(info);
}

Error t_event_handle_get_info(MPI_T_event_registration event_registration, MPI_Info *info_used) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_registration(call, event_registration))
        return error;
    return give_no_hints(info_used);
}

// Changes the recorder's interest with the first and the last callback, so that events are recorded
// only while a callback wants them.
Error t_event_register_callback(MPI_T_event_registration event_registration,
                                MPI_T_cb_safety cb_safety, MPI_Info info, void *user_data,
                                MPI_T_event_cb_function event_cb_function) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_registration(call, event_registration))
        return error;
    int level;
    if (Error error = find_level(cb_safety, level))
        return error;
    if (Error error = check_hints(info))
        return error;
    const bool listened = chosen_callback(*event_registration) != nullptr;
    event_registration->callbacks[level] = {event_cb_function, user_data};
    const bool listens = chosen_callback(*event_registration) != nullptr;
    if (listens != listened)
        recorder_of(current_process()).change_interest(*event_registration->type, listens ? 1 : -1);
    return success;
}

namespace {

// Checks that a callback is registered for this level.
Error find_callback(ToolCall &call, MPI_T_event_registration registration,
                    MPI_T_cb_safety cb_safety) {
    if (Error error = find_registration(call, registration))
        return error;
    int level;
    if (Error error = find_level(cb_safety, level))
        return error;
    return registration->callbacks[level].function
               ? success
               : fail(MPI_T_ERR_INVALID, "cb_safety is %d, for which no callback is registered",
                      static_cast<int>(cb_safety));
}

} // namespace

Error t_event_callback_set_info(MPI_T_event_registration event_registration,
                                MPI_T_cb_safety cb_safety, MPI_Info info) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_callback(call, event_registration, cb_safety))
        return error;
    return check_hints(info);
}

Error t_event_callback_get_info(MPI_T_event_registration event_registration,
                                MPI_T_cb_safety cb_safety, MPI_Info *info_used) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_callback(call, event_registration, cb_safety))
        return error;
    return give_no_hints(info_used);
}

Error t_event_set_dropped_handler(MPI_T_event_registration event_registration,
                                  MPI_T_event_dropped_cb_function dropped_cb_function) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_registration(call, event_registration))
        return error;
    event_registration->dropped = dropped_cb_function;
    return success;
}

// Only valid in the callback of the event.
Error t_event_read(MPI_T_event_instance event_instance, int element_index, void *buffer) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_instance(call, event_instance))
        return error;
    const EventRecord &record = *event_instance->record;
    if (element_index < 0 || element_index >= element_count(*record.type))
        return bad_index("element_index", element_index, element_count(*record.type));
    if (!buffer)
        return no_result("buffer");
    give_element(record, element_index, buffer);
    return success;
}

// The buffer has the layout that MPI_T_event_get_info describes.
Error t_event_copy(MPI_T_event_instance event_instance, void *buffer) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_instance(call, event_instance))
        return error;
    if (!buffer)
        return no_result("buffer");
    const EventRecord &record = *event_instance->record;
    for (int i = 0; i < element_count(*record.type); ++i)
        give_element(record, i, static_cast<char *>(buffer) + displacement_of(*record.type, i));
    return success;
}

// When the event happened, not when it is delivered.
Error t_event_get_timestamp(MPI_T_event_instance event_instance, MPI_Count *event_timestamp) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_instance(call, event_instance))
        return error;
    if (!event_timestamp)
        return no_result("event_timestamp");
    *event_timestamp = event_instance->record->time_ns;
    return success;
}

// There is only one source.
Error t_event_get_source(MPI_T_event_instance event_instance, int *source_index) {
    ToolCall call;
    if (Error error = call.error())
        return error;
    if (Error error = find_instance(call, event_instance))
        return error;
    if (!source_index)
        return no_result("source_index");
    *source_index = 0;
    return success;
}

} // namespace mpi

// Delivers the events of the calling rank. An event that is recorded while another thread is here
// is delivered by that thread, or at the end of the next call.
void detail::tell_tools(RankThread &self) {
    Process &process = *self.rank->process;
    ToolInterface *tools = tool_interfaces.of(process).get();
    Recorder *recorder = process.mailbox.recorder.load(std::memory_order_acquire); // [recorder-1]
    if (!tools || !recorder || !recorder->has_news())
        return;
    // Another thread of the rank is at it, or this one is in a callback.
    // acquire [telling-1]: what was told before.
    if (tools->telling.exchange(true, std::memory_order_acquire))
        return;
    // Copied out of the recorder: the callbacks may make MPI calls that record events.
    EventRecord record;
    while (recorder->next_event(record)) {
        if (record.after_loss) // section 15.3.8: before other events of the source are raised
            mpi::tell_losses(*tools, *recorder);
        mpi::tell(*tools, record);
    }
    mpi::tell_losses(*tools, *recorder);
    tools->telling.store(false, std::memory_order_release); // release [telling-1]
}

} // namespace thrum
