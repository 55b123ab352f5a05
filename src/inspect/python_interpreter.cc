#include "inspect/python_interpreter.h"

#include "base/extension.h"
#include "base/spinlock.h"
#include "comm/process.h"
#include "image/image.h"
#include "inspect/python_line.h"
#include "inspect/symbols.h"

#include <compare>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <unordered_map>

namespace thrum {
namespace {

// Where CPython keeps what a thread executes (its Include/internal/pycore_frame.h), in bytes.
struct FrameLayout {
    unsigned minor;          // of version 3
    bool has_cframe;         // the thread's state leads to the frame by a _PyCFrame
    ptrdiff_t frame;         // or the _PyCFrame, in the PyThreadState
    ptrdiff_t current_frame; // in the _PyCFrame
    ptrdiff_t code, instruction;
};

constexpr FrameLayout layouts[] = {
    {11, true, 56, 8, 32, 56},
    {12, true, 56, 0, 0, 56},
    {13, false, 72, 0, 0, 56},
    {14, false, 72, 0, 0, 56},
};

// What is used of Python's C API: the functions of the originals, or those of a rank's copy.
struct PythonFunctions {
    int (*is_initialized)() = nullptr;
    void *(*state_of_this_thread)() = nullptr;
    int (*take_lock)() = nullptr;
    void (*give_lock_back)(int) = nullptr;
    void *(*state_with_lock)() = nullptr;
    void *(*frame_of)(void *state) = nullptr;
    int (*line_of)(void *frame) = nullptr;
    void *(*code_of)(void *frame) = nullptr;
    void *(*attribute)(void *object, const char *name) = nullptr;
    const char *(*utf8)(void *string) = nullptr;
    void (*release)(void *object) = nullptr;

    // Replaces each function by replace(name, function), and returns whether all are there.
    template <class Replace>
    bool replace_all(Replace replace) {
        bool has_all = true;
        const auto one = [&]<class Function>(Function *&function, const char *name) {
            function = reinterpret_cast<Function *>(
                replace(name, reinterpret_cast<const void *>(function)));
            has_all = has_all && function;
        };
        one(is_initialized, "Py_IsInitialized");
        one(state_of_this_thread, "PyGILState_GetThisThreadState");
        one(take_lock, "PyGILState_Ensure");
        one(give_lock_back, "PyGILState_Release");
        one(state_with_lock, "PyThreadState_Get");
        one(frame_of, "PyThreadState_GetFrame");
        one(line_of, "PyFrame_GetLineNumber");
        one(code_of, "PyFrame_GetCode");
        one(attribute, "PyObject_GetAttrString");
        one(utf8, "PyUnicode_AsUTF8");
        one(release, "Py_DecRef");
        return has_all;
    }
};

// The interpreter that ld.so has loaded.
struct OriginalPython {
    PythonFunctions functions;
    const FrameLayout *layout = nullptr; // nullptr: there is none, or an unknown version

    // Py_Version exists since 3.11; PyUnstable_Module_SetGIL only in interpreters without a lock,
    // whose frames are laid out differently.
    OriginalPython() {
        const auto *version =
            static_cast<const unsigned long *>(::dlsym(RTLD_DEFAULT, "Py_Version"));
        if (!version || *version >> 24 != 3 || ::dlsym(RTLD_DEFAULT, "PyUnstable_Module_SetGIL") ||
            !functions.replace_all(
                [](const char *name, const void *) { return ::dlsym(RTLD_DEFAULT, name); }))
            return;
        for (const FrameLayout &candidate : layouts)
            if (candidate.minor == (*version >> 16 & 0xff))
                layout = &candidate;
    }
};

const OriginalPython &original_python() {
    static const OriginalPython original;
    return original;
}

// What an interpreter executes: the code object, and where in it.
struct Instruction {
    uintptr_t code = 0; // 0: no Python code
    uintptr_t position = 0;

    auto operator<=>(const Instruction &) const = default;
};

// Reads what the calling thread executes. Only the thread itself changes it.
Instruction current_instruction(const void *state) {
    const FrameLayout &layout = *original_python().layout;
    const auto load = [](uintptr_t address, ptrdiff_t offset) {
        return *reinterpret_cast<const uintptr_t *>(address + static_cast<uintptr_t>(offset));
    };
    uintptr_t frame = load(reinterpret_cast<uintptr_t>(state), layout.frame);
    if (layout.has_cframe && frame)
        frame = load(frame, layout.current_frame);
    if (!frame)
        return {};
    constexpr uintptr_t reference_tags = 3; // of Python 3.14
    return {load(frame, layout.code) & ~reference_tags, load(frame, layout.instruction)};
}

// The interpreter of one rank.
class Interpreter {
public:
    Interpreter() : functions_(original_python().functions) {
        functions_.replace_all([](const char *, const void *original) {
            return translate(current_image(), original);
        });
    }

    const void *call_site(const void *machine_call_site) MAY_SUSPEND {
        if (!is_in_mpi4py(machine_call_site) || !functions_.is_initialized())
            return machine_call_site;
        const void *state = functions_.state_of_this_thread();
        const Instruction instruction = state ? current_instruction(state) : Instruction{};
        if (!instruction.code)
            return machine_call_site;
        {
            LockGuard guard(lock_);
            if (const auto found = call_sites_.find(instruction); found != call_sites_.end())
                return found->second;
        }
        const void *found = ask();
        if (!found)
            return machine_call_site;
        LockGuard guard(lock_);
        return call_sites_[instruction] = found;
    }

private:
    bool is_in_mpi4py(const void *machine_call_site) {
        {
            LockGuard guard(lock_);
            if (const auto found = in_mpi4py_.find(machine_call_site); found != in_mpi4py_.end())
                return found->second;
        }
        const Location location = find_location(machine_call_site);
        const bool is = location.path && std::strstr(location.path, "/mpi4py/");
        LockGuard guard(lock_);
        return in_mpi4py_[machine_call_site] = is;
    }

    // Returns the call site for the line that is being executed; nullptr: unknown. Waits while
    // another thread of the rank has the interpreter's lock. The code object is kept for ever: so
    // no other one gets its address.
    const void *ask() MAY_SUSPEND {
        const int lock = functions_.take_lock();
        const void *call_site = nullptr;
        if (void *frame = functions_.frame_of(functions_.state_with_lock())) {
            void *code = functions_.code_of(frame);
            void *file = functions_.attribute(code, "co_filename");
            void *function = functions_.attribute(code, "co_qualname");
            const char *file_text = file ? functions_.utf8(file) : nullptr;
            const char *function_text = function ? functions_.utf8(function) : nullptr;
            if (file_text && function_text)
                call_site =
                    call_site_of_python(file_text, functions_.line_of(frame), function_text);
            for (void *object : {file, function, frame})
                if (object)
                    functions_.release(object);
        }
        functions_.give_lock_back(lock);
        return call_site;
    }

    PythonFunctions functions_;
    SpinLock lock_;                                    // guards the next two
    std::unordered_map<const void *, bool> in_mpi4py_; // by call site of the machine code
    std::map<Instruction, const void *> call_sites_;
};

void free_interpreter(Interpreter *interpreter) {
    delete interpreter;
}

const Extension<Process, Interpreter, free_interpreter> interpreter_of;

} // namespace

std::atomic<bool> detail::may_have_python{true};

void find_python() {
    if (original_python().layout)
        look_at_all_calls();
    else
        detail::may_have_python.store(false, std::memory_order_relaxed);
}

const void *detail::line_of_python(const void *call_site) {
    return interpreter_of.of(current_process()).get_or_make().call_site(call_site);
}

} // namespace thrum
