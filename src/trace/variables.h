// Variables: the data that the library offers to tools through MPI_T (MPI 5.0 section 15.3). Every
// layer registers its own beside the code that uses them, one statement each; control variables are
// settings (trace/setting_variables.h):
//
//   PERFORMANCE_VARIABLE(messages_sent, .category = "messages", .description = "...");
//   EVENT_TYPE(...), CATEGORY(...)
//
// The linker collects them: every kind of object has its own section, and an object's position in
// it is its index in MPI_T. mpi/tool*.cc is the only reader of the tables.
#pragma once
#include "mpi.h"

#include <cstddef>
#include <cstdint>

namespace thrum {

// How a tool interprets a value.
enum class ValueType : uint8_t {
    Int,      // MPI_INT, an int64_t here
    Unsigned, // MPI_UNSIGNED_LONG_LONG
    Double,   // MPI_DOUBLE
    Text,     // MPI_CHAR
};

// The names of the values 0, 1, ... of a variable of type Int.
struct Enumeration {
    const char *name;
    const char *const *items;
    int size;
};

// A category. The alignment prevents gaps between the elements of a section.
struct alignas(64) Category {
    const char *name;
    const char *parent = nullptr; // name of the category that contains it
    const char *description = "";
};

// A setting. If it can be set in the environment, its variable there is THRUM_ and this name in
// capitals.
struct alignas(64) ControlVariable {
    const char *name;
    const char *category;
    const char *description;
    ValueType type = ValueType::Unsigned;
    int verbosity = MPI_T_VERBOSITY_USER_BASIC;
    int scope = MPI_T_SCOPE_CONSTANT;
    const Enumeration *enumeration = nullptr;
    // Returns the value for the calling rank. For type Text, text() does.
    int64_t (*read)() = nullptr;
    const char *(*text)() = nullptr;
    // Sets the value for the calling rank. Returns false if it is out of range. nullptr: the
    // variable is read-only.
    bool (*write)(int64_t value) = nullptr;
};

// A measurement. Its value is what read() returns or, without read(), what the rank's Recorder
// (trace/recorder.h) has counted under `counted`.
struct alignas(64) PerformanceVariable {
    const char *name;
    const char *category;
    const char *description;
    int variable_class = MPI_T_PVAR_CLASS_COUNTER;
    ValueType type = ValueType::Unsigned;
    int bind = MPI_T_BIND_NO_OBJECT;
    int verbosity = MPI_T_VERBOSITY_USER_DETAIL;
    const Enumeration *enumeration = nullptr;
    // Returns the value for the calling rank and, if the variable is bound to one, a communicator
    // with this context id.
    uint64_t (*read)(uint32_t context) = nullptr;
    double (*read_double)(uint32_t context) = nullptr; // of type Double
    // If bound to a communicator: the variable whose counts of that communicator these are. nullptr
    // for watermarks.
    const PerformanceVariable *counted = nullptr;
};

// A type of event in a rank, described by up to four numbers.
struct alignas(64) EventType {
    static constexpr int elements_max = 4;
    const char *name;
    const char *category;
    const char *description;
    int bind = MPI_T_BIND_NO_OBJECT;
    int verbosity = MPI_T_VERBOSITY_USER_DETAIL;
    const Enumeration *elements = nullptr; // names of the numbers
    ValueType types[elements_max] = {};    // Int or Unsigned
};

// The registered objects of one kind, in the order of their indices.
template <class Kind>
struct Registered {
    Kind *first;
    Kind *last;

    int size() const { return static_cast<int>(last - first); }

    const Kind &operator[](int index) const { return first[index]; }

    bool contains(int index) const { return index >= 0 && index < size(); }

    int index_of(const Kind &object) const { return static_cast<int>(&object - first); }

    const Kind *begin() const { return first; }

    const Kind *end() const { return last; }
};

Registered<Category> categories();
Registered<ControlVariable> control_variables();
Registered<PerformanceVariable> performance_variables();
Registered<EventType> event_types();

// All objects of one section must be writable, or none. Those that contain addresses of functions
// are, because the dynamic linker writes the addresses.
#define THRUM_REGISTERED(section_name) [[gnu::section(section_name), gnu::used]] static constinit
#define CATEGORY(identifier, ...)                                                                  \
    THRUM_REGISTERED("thrum_categories")                                                           \
    ::thrum::Category identifier##_category = {.name = #identifier, __VA_ARGS__}
#define CONTROL_VARIABLE(identifier, ...)                                                          \
    THRUM_REGISTERED("thrum_controls")                                                             \
    ::thrum::ControlVariable identifier##_control = {__VA_ARGS__}
// Defines a variable: the layer's code counts `identifier`; tools see `variable_name`.
#define NAMED_PERFORMANCE_VARIABLE(identifier, variable_name, ...)                                 \
    THRUM_REGISTERED("thrum_measures")                                                             \
    ::thrum::PerformanceVariable identifier = {.name = variable_name, __VA_ARGS__}
#define PERFORMANCE_VARIABLE(identifier, ...)                                                      \
    NAMED_PERFORMANCE_VARIABLE(identifier, #identifier, __VA_ARGS__)
#define EVENT_TYPE(identifier, ...)                                                                \
    THRUM_REGISTERED("thrum_events")                                                               \
    ::thrum::EventType identifier##_event = {.name = #identifier, __VA_ARGS__}

} // namespace thrum
