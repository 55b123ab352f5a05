// Upcalls: slots of shared objects that lead into private ones. ld.so has bound them to the
// originals, which are rank 0's. There are three cases:
//
//   libc calls the program's malloc       the current rank's: a thunk finds it at each call
//   libmpi, libfabric call malloc, too    libc's: what they allocate crosses from rank to rank
//   libibverbs calls its own libnl        the original's: its instance of the library, like rank
//   0's
//
// A thunk loads the current image from thread-local storage, and jumps to the entry of that image's
// table with the upcall's number.
#include "image/addresses.h"
#include "image/originals.h"
#include "image/programs.h"
#include "image/refuse.h"
#include "image/symbol.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace thrum {

constinit uintptr_t originals_upcalls[upcalls_max];

namespace {

// Returns whether `object` itself names `library` as needed: then it means that instance.
bool needs(const Object &object, const Object &library) {
    bool found = false;
    for_each_needed(object, [&](const char *name) { found |= is_named(library, name); });
    return found;
}

// A function that shared objects call, and that some program defines itself.
struct Upcall {
    const char *name;
    const char *version; // the one that the first caller requires, or nullptr
    uintptr_t thunk;
};

constinit GrowingArray<Upcall> upcalls;

// Executable memory for thunks: written, then made executable, never both at once. It is not freed,
// as slots lead into it.
class ThunkPage {
public:
    uintptr_t add(size_t upcall);
    void seal();

private:
    static constexpr size_t size_bytes_ = 32 << 10;
    static constexpr size_t thunk_bytes_ = 32;
    unsigned char *memory_ = nullptr;
    size_t used_ = 0;
};

void put32(unsigned char *at, int32_t value) {
    std::memcpy(at, &value, sizeof value);
}

// Writes the thunk of an upcall and returns its address. It may use r11, which is free between a
// caller and a function that it reaches through a slot (psABI: the PLT's).
uintptr_t ThunkPage::add(size_t upcall) {
    if (!memory_) {
        void *m = ::mmap(nullptr, size_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                         -1, 0);
        if (m == MAP_FAILED)
            die(refusal_exit_code, "cannot allocate memory for calls into ranks: %s",
                std::strerror(errno));
        memory_ = static_cast<unsigned char *>(m);
    }
    CHECK(used_ + thunk_bytes_ <= size_bytes_,
          "too many calls of shared libraries into the program");
    static constexpr unsigned char code[] = {
        0xf3, 0x0f, 0x1e, 0xfa, // endbr64
        0x64, 0x4c, 0x8b, 0x1c,
        0x25, 0,    0,    0,
        0,                                          // mov %fs:current_image, %r11
        0x4d, 0x8b, 0x5b, offsetof(Image, upcalls), // mov upcalls(%r11), %r11
        0x41, 0xff, 0xa3, 0,
        0,    0,    0, // jmp *8 * number(%r11)
    };
    static_assert(sizeof code <= thunk_bytes_);
    unsigned char *thunk = memory_ + used_;
    used_ += thunk_bytes_;
    std::memcpy(thunk, code, sizeof code);
    put32(thunk + 9, current_image_tls_offset());
    put32(thunk + 20, static_cast<int32_t>(upcall * sizeof(uintptr_t)));
    return reinterpret_cast<uintptr_t>(thunk);
}

// Makes the thunks executable; none can be added after that.
void ThunkPage::seal() {
    if (memory_ && ::mprotect(memory_, size_bytes_, PROT_READ | PROT_EXEC) != 0)
        die(refusal_exit_code, "cannot make calls into ranks executable: %s", std::strerror(errno));
}

// Returns what the slot would hold if the program did not define the symbol; 0: nothing.
uintptr_t shared_definition(const Object &object, size_t symbol_index) {
    Definition d =
        find_definition(symbol_name(object, symbol_index), wanted_version(object, symbol_index),
                        [](const Object &o) { return !o.is_private(); });
    return d ? d.address() : 0;
}

// Returns what the program of `image` means by the upcall. If it does not have the callers'
// library, what the originals mean.
uintptr_t upcall_of(const Image &image, size_t number) {
    const Upcall &upcall = upcalls[number];
    for (const Object &object : image.program->objects)
        if (const ElfW(Sym) *symbol = find_in_object(object, upcall.name, upcall.version)) {
            uintptr_t address = Definition{&object, symbol}.address();
            return object.is_private() ? address + static_cast<uintptr_t>(delta_of(&image, object))
                                       : address;
        }
    return originals_upcalls[number];
}

// Returns the thunk for a slot that holds `value` in the process's own program, a new one if there
// is none for this function. Returns `value` if a reserved image has no room for another upcall.
uintptr_t thunk_for(const Object &caller, size_t symbol_index, uintptr_t value, ThunkPage &thunks) {
    for (size_t i = 0; i < upcalls.size(); ++i)
        if (originals_upcalls[i] == value &&
            !std::strcmp(upcalls[i].name, symbol_name(caller, symbol_index)))
            return upcalls[i].thunk;
    size_t number = upcalls.size();
    CHECK(number < upcalls_max, "too many calls of shared libraries into the program");
    for (int p = 0; p < program_count(); ++p)
        for (int r = 0; r < regions_of(program_at(p)); ++r)
            if (program_at(p).regions[r].upcalls &&
                number >= program_at(p).regions[r].upcall_stride)
                return value; // the images have no room: the originals' function
    originals_upcalls[number] = value;
    uintptr_t thunk = thunks.add(number);
    upcalls.push_back(
        {symbol_name(caller, symbol_index), wanted_version(caller, symbol_index), thunk});
    // Images exist already if the caller has been opened by dlopen().
    for (int p = 0; p < program_count(); ++p)
        for_each_image(program_at(p), [&](const Image &image, const Region &region, int i) {
            region.upcalls[static_cast<size_t>(i) * region.upcall_stride + number] =
                upcall_of(image, number);
        });
    return thunk;
}

bool is_thunk(uintptr_t value) {
    for (const Upcall &upcall : upcalls)
        if (upcall.thunk == value)
            return true;
    return false;
}

// Returns whether `address` is in the text of `object`.
bool is_function(const Object &object, uintptr_t address) {
    const ElfW(Phdr) *segment = find_segment(object, address);
    return segment && (segment->p_flags & PF_X);
}

// Binds the slots of a shared object. `thunks`: nullptr if the originals' functions serve all
// ranks.
void bind_upcalls_of(const Object &object, ThunkPage *thunks) {
    SlotWriter writer(object);
    for_each_symbol_slot(object, [&](size_t symbol, uintptr_t slot, uintptr_t) {
        uintptr_t value = load_word(reinterpret_cast<void *>(slot));
        const Object *target = find_object(value);
        if (!target || !target->is_private() || needs(object, *target))
            return;
        if (!is_function(*target, value))
            return; // a variable: rank 0's
        if (object.sharing == Sharing::Infrastructure) {
            if (uintptr_t shared = shared_definition(object, symbol)) {
                writer.write(slot, shared);
                return;
            }
        }
        if (thunks)
            writer.write(slot, thunk_for(object, symbol, value, *thunks));
    });
}

} // namespace

// The first definition in the program's scope decides, as in ld.so; a private function gets a
// thunk. Slots that have one already serve all programs.
void bind_upcalls_of_program(const Program &program) {
    ThunkPage thunks;
    for (const Object &caller : program.objects) {
        if (caller.sharing != Sharing::CLibrary || !caller.symbols)
            continue;
        SlotWriter writer(caller);
        for_each_symbol_slot(caller, [&](size_t symbol, uintptr_t slot, uintptr_t) {
            uintptr_t value = load_word(reinterpret_cast<void *>(slot));
            if (symbol == 0 || is_own_definition(caller, symbol) || is_thunk(value))
                return;
            const char *name = symbol_name(caller, symbol);
            const char *version = wanted_version(caller, symbol);
            for (const Object &object : program.objects) {
                const ElfW(Sym) *found = find_in_object(object, name, version);
                if (!found)
                    continue;
                uintptr_t address = object.bias + found->st_value;
                if (object.is_private() && !needs(caller, object) && is_function(object, address))
                    writer.write(slot, thunk_for(caller, symbol, value, thunks));
                return;
            }
        });
    }
    thunks.seal();
}

void fill_upcalls(uintptr_t *table, const Image &image) {
    for (size_t i = 0; i < upcalls.size(); ++i)
        table[i] = upcall_of(image, i);
}

size_t upcall_count() {
    return upcalls.size();
}

void bind_upcalls_of_library(const Object &library, bool with_thunks) {
    ThunkPage thunks;
    if (library.symbols)
        bind_upcalls_of(library, with_thunks ? &thunks : nullptr);
    thunks.seal();
}

void bind_upcalls(bool with_thunks) {
    ThunkPage thunks;
    for (const Object &object : objects())
        if (!object.is_private() && object.symbols)
            bind_upcalls_of(object, with_thunks ? &thunks : nullptr);
    thunks.seal();
}

} // namespace thrum
