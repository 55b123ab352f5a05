// Stub: a shared library made in memory, by which ld.so is asked to load others without running any
// of their constructors. It needs them all and is marked -z initfirst. So its own constructor, a
// function of libmpi, runs when they are relocated and before all of theirs; it may disarm them.
#pragma once
#include "image/object.h"

#include <string>
#include <vector>

namespace thrum {

class Stub {
public:
    // Adds a library to load: its path, or a name to search for.
    void need(const std::string &path) { add(DT_NEEDED, add_string(path)); }

    // Sets the folders, separated by colons, where needed names are searched. `inherited`: also for
    // what the needed libraries need (DT_RPATH, otherwise DT_RUNPATH).
    void search(const std::string &folders, bool inherited) {
        add(inherited ? DT_RPATH : DT_RUNPATH, add_string(folders));
    }

    // Makes the stub reach thread-local variable `name` of a needed library at a fixed offset, so
    // that ld.so gives the variable one.
    void use_thread_local(const std::string &name);
    // Defines `name` for the needed libraries, as a function at `address`.
    void define(const std::string &name, const void *address);

    // Loads the stub, once. Returns ld.so's handle, or nullptr (dlerror() has the reason). The
    // process ends if no memory file can be made.
    void *load(void (*constructor)());

private:
    static constexpr size_t header_count_ = 3;
    static constexpr size_t more_entries_ = 12; // of the dynamic section, made by add_tables()

    size_t add_string(const std::string &string) {
        size_t at = strings_.size();
        strings_ += string;
        strings_ += '\0';
        return at;
    }

    void add(ElfW(Sxword) tag, uint64_t value) {
        ElfW(Dyn) entry{};
        entry.d_tag = tag;
        entry.d_un.d_val = value;
        dynamic_.push_back(entry);
    }

    void lay_out();
    void add_tables();
    void put_headers(std::string &file) const;
    std::string file(void (*constructor)());

    std::string strings_ = std::string(1, '\0');
    std::vector<ElfW(Dyn)> dynamic_;
    std::vector<ElfW(Sym)> symbols_ = std::vector<ElfW(Sym)>(1);
    std::vector<size_t> used_;            // numbers of the thread-local symbols
    std::vector<ElfW(Rela)> relocations_; // that fill the slots of `used_`
    // Offsets in the file, which are addresses in the segment as well.
    size_t dynamic_at_ = 0, init_at_ = 0, symbols_at_ = 0, hash_at_ = 0, rela_at_ = 0;
    size_t slots_at_ = 0, strings_at_ = 0, size_bytes_ = 0;
};

// Keeps ld.so from running constructors and destructors of the original `object`, which is loaded
// but not yet constructed. Its dynamic section is changed in place.
// Keeps ld.so from running constructors and destructors of the original `object`.
void disarm_constructors(const Object &object);

} // namespace thrum
