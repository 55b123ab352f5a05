// Variables: what the library shows to tools through MPI_T (MPI 5.0 section 15.3). Every layer
// registers its own beside the code that uses them, one statement each:
//
//   CONTROL_VARIABLE(eager_limit, .category = "protocols", .description = "...", .read = ...);
//   PERFORMANCE_VARIABLE(messages_sent, .category = "messages", .description = "...");
//   EVENT_TYPE(...), CATEGORY(...)
//
// The linker gathers them: a registered object lies in a section of its own kind, and its place
// there is its index in MPI_T. mpi/tool*.cc is the only reader of the tables.
#pragma once
#include "mpi.h"

#include <cstddef>
#include <cstdint>

namespace thrum {

// How a value looks to a tool.
enum class ValueType : uint8_t {
    Int,      // MPI_INT, an int64_t here
    Unsigned, // MPI_UNSIGNED_LONG_LONG
    Double,   // MPI_DOUBLE
    Text,     // MPI_CHAR
};

// Names of the values 0, 1, ... of a variable of type Int.
struct Enumeration {
    const char *name;
    const char *const *items;
    int size;
};

// The alignment keeps the compiler from leaving gaps between the elements of a section.
struct alignas(64) Category {
    const char *name;
    const char *parent = nullptr; // name of the category that contains it
    const char *description = "";
};

// A setting. If its value can be given in the environment, the name there is THRUM_ and its own
// name in capitals.
struct alignas(64) ControlVariable {
    const char *name;
    const char *category;
    const char *description;
    ValueType type = ValueType::Unsigned;
    int verbosity = MPI_T_VERBOSITY_USER_BASIC;
    int scope = MPI_T_SCOPE_CONSTANT;
    const Enumeration *enumeration = nullptr;
    // The value for the calling rank; of type Text, text().
    int64_t (*read)() = nullptr;
    const char *(*text)() = nullptr;
    // Sets it for the calling rank; false if the value is out of range. nullptr: never possible.
    bool (*write)(int64_t value) = nullptr;
};

// A measurement. The value is what read() returns or, without one, what is counted in the rank's
// Recorder (trace/recorder.h), there under the name of `counted`.
struct alignas(64) PerformanceVariable {
    const char *name;
    const char *category;
    const char *description;
    int variable_class = MPI_T_PVAR_CLASS_COUNTER;
    ValueType type = ValueType::Unsigned;
    int bind = MPI_T_BIND_NO_OBJECT;
    int verbosity = MPI_T_VERBOSITY_USER_DETAIL;
    const Enumeration *enumeration = nullptr;
    // The value for the calling rank and, if it is bound to one, a communicator of this context id.
    uint64_t (*read)(uint32_t context) = nullptr;
    double (*read_double)(uint32_t context) = nullptr; // of type Double
    // Bound to a communicator: whose counts of that communicator these are. Watermarks: nullptr.
    const PerformanceVariable *counted = nullptr;
};

// Something that happens in a rank, with up to four numbers about it.
struct alignas(64) EventType {
    static constexpr int elements_max = 4;
    const char *name;
    const char *category;
    const char *description;
    int bind = MPI_T_BIND_NO_OBJECT;
    int verbosity = MPI_T_VERBOSITY_USER_DETAIL;
    const Enumeration *elements = nullptr; // their names
    ValueType types[elements_max] = {};    // Int or Unsigned
};

// The registered objects of a kind, in the order of their indices.
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

// Objects of one section must agree on whether it is writable; those with addresses of functions
// are, for the dynamic linker fills these in.
#define THRUM_REGISTERED(section_name) [[gnu::section(section_name), gnu::used]] static constinit
#define CATEGORY(identifier, ...)                                                                  \
    THRUM_REGISTERED("thrum_categories")                                                           \
    ::thrum::Category identifier##_category = {.name = #identifier, __VA_ARGS__}
#define CONTROL_VARIABLE(identifier, ...)                                                          \
    NAMED_CONTROL_VARIABLE(identifier, #identifier, __VA_ARGS__)
#define NAMED_CONTROL_VARIABLE(identifier, variable_name, ...)                                     \
    THRUM_REGISTERED("thrum_controls")                                                             \
    ::thrum::ControlVariable identifier##_control = {.name = variable_name, __VA_ARGS__}
// `identifier` is how the layer's code counts it; `variable_name` what tools see.
#define NAMED_PERFORMANCE_VARIABLE(identifier, variable_name, ...)                                 \
    THRUM_REGISTERED("thrum_measures")                                                             \
    ::thrum::PerformanceVariable identifier = {.name = variable_name, __VA_ARGS__}
#define PERFORMANCE_VARIABLE(identifier, ...)                                                      \
    NAMED_PERFORMANCE_VARIABLE(identifier, #identifier, __VA_ARGS__)
#define EVENT_TYPE(identifier, ...)                                                                \
    THRUM_REGISTERED("thrum_events")                                                               \
    ::thrum::EventType identifier##_event = {.name = #identifier, __VA_ARGS__}

} // namespace thrum
