// Profiling tools (MPI 5.0 section 15.2). A tool is a library that defines MPI_X and calls PMPI_X.
// It is linked to the program before the MPI library, or named in LD_PRELOAD. But mpiexec makes
// ld.so put libmpi before all libraries of the program, so ld.so binds MPI_X to libmpi. Here such
// slots get the tool's function. A library that defines PMPI_X, too, is another MPI and not a tool.
#include "image/tools.h"

#include "image/originals.h"
#include "image/symbol.h"

#include <cstdio>
#include <cstring>

namespace thrum {

Definition find_tool(const Objects &among, const char *name) {
    if (std::strncmp(name, "MPI_", 4) != 0)
        return {};
    char shifted[128];
    if (std::snprintf(shifted, sizeof shifted, "P%s", name) >= static_cast<int>(sizeof shifted))
        return {};
    for (const Object &object : among)
        if (object.is_private() && !object.is_executable)
            if (const ElfW(Sym) *symbol = find_in_object(object, name, nullptr))
                if (!find_in_object(object, shifted, nullptr))
                    return {&object, symbol};
    return {};
}

void bind_tools() {
    for (const Object &object : objects()) {
        if (!object.is_private())
            continue;
        SlotWriter writer(object);
        for_each_symbol_slot(object, [&](size_t symbol, uintptr_t slot, uintptr_t addend) {
            Definition tool = find_tool(objects(), symbol_name(object, symbol));
            if (!tool)
                return;
            const Object *target = find_object(load_word(reinterpret_cast<void *>(slot)) - addend);
            if (target &&
                (target->is_libmpi || target->is_front)) // the program itself may have defined it
                writer.write(slot, tool.address() + addend);
        });
    }
}

} // namespace thrum
