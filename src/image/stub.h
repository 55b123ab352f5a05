// Stub: a shared library made in memory, by which ld.so is asked to load others without running
// any of their constructors. It needs them all and is marked -z initfirst, so that its own
// constructor, a function of libmpi's, runs when they are relocated and before all of theirs.
#pragma once
#include "image/object.h"

#include <string>
#include <vector>

namespace thrum {

class Stub {
public:
    // A library to load: its path, or a name to search for.
    void need(const std::string &path) { add(DT_NEEDED, add_string(path)); }

    // Sets the folders, separated by colons, where needed names are searched. `inherited`: also for
    // what the needed libraries need (DT_RPATH, otherwise DT_RUNPATH).
    void search(const std::string &folders, bool inherited) {
        add(inherited ? DT_RPATH : DT_RUNPATH, add_string(folders));
    }

    // Reaches thread-local variable `name` of a needed library at a fixed offset, so that ld.so
    // gives it one.
    void use_thread_local(const std::string &name);
    // Defines `name` for the needed libraries, as a function at `address`.
    void define(const std::string &name, const void *address);

    // Loads it, once; returns ld.so's handle, or nullptr (dlerror() has the reason).
    void *load(void (*constructor)());

private:
    static constexpr size_t header_count_ = 3;
    static constexpr size_t more_entries_ = 12; // of the dynamic section, by add_tables()

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
    std::vector<size_t> used_;            // numbers of the symbols that it uses
    std::vector<ElfW(Rela)> relocations_; // fill the slots
    size_t dynamic_at_ = 0, init_at_ = 0, symbols_at_ = 0, hash_at_ = 0, rela_at_ = 0;
    size_t slots_at_ = 0, strings_at_ = 0, size_bytes_ = 0;
};

// Keeps ld.so from running constructors and destructors of the original `object`.
void disarm_constructors(const Object &object);

} // namespace thrum
