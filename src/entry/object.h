// The objects behind MPI's handles, and how the C interface finds them. The standard ABI declares
// MPI_Comm as `struct MPI_ABI_Comm *`. Thrum defines that struct, so a handle to a user's object is
// its address. Values below 4096 are the predefined constants.
#pragma once
#include "comm/communicator.h"
#include "comm/errhandler.h"
#include "comm/info.h"
#include "comm/session.h"
#include "datatype/count_array.h"
#include "datatype/datatype.h"
#include "datatype/op.h"
#include "io/file.h"
#include "pt2pt/request.h"
#include "rma/window.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace thrum {

// The name of an object of this class in messages.
template <class Object>
inline constexpr const char *object_name = "object";

#define NAME_OBJECTS(Class, name)                                                                  \
    template <>                                                                                    \
    inline constexpr const char *object_name<Class> = name
NAME_OBJECTS(Communicator, "communicator");
NAME_OBJECTS(Window, "window");
NAME_OBJECTS(File, "file");
NAME_OBJECTS(Session, "session");
NAME_OBJECTS(Group, "group");
NAME_OBJECTS(Op, "operation");
NAME_OBJECTS(Errhandler, "error handler");
NAME_OBJECTS(Datatype, "datatype");
#undef NAME_OBJECTS

// Where a count is stored, as int or MPI_Count. An int that is too small for the value gets
// MPI_UNDEFINED (section 5.1.5).
class CountRef {
public:
    CountRef(int *count) : count_(count), wide_(false) {}

    CountRef(MPI_Count *count) : count_(count), wide_(true) {}

    void operator=(Count value) const {
        if (wide_)
            *static_cast<MPI_Count *>(count_) = value;
        else
            *static_cast<int *>(count_) =
                value > INT32_MAX ? MPI_UNDEFINED : static_cast<int>(value);
    }

    // Returns the stored value, for arguments that are in and out (`position`).
    Count get() const {
        return wide_ ? *static_cast<MPI_Count *>(count_) : *static_cast<int *>(count_);
    }

    explicit operator bool() const { return count_ != nullptr; }

    bool wide() const { return wide_; }

private:
    void *count_;
    bool wide_;
};

} // namespace thrum
