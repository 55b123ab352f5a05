#include "dynamic_symbols.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

namespace abi {
namespace {

// Calls `use(symbol, name)` for each entry of a symbol table.
template <class Use>
void for_each_symbol(Elf *elf, Elf_Scn *section, const GElf_Shdr &header, Use use) {
    Elf_Data *data = elf_getdata(section, nullptr);
    const size_t count = data && header.sh_entsize ? header.sh_size / header.sh_entsize : 0;
    for (size_t i = 0; i < count; ++i) {
        GElf_Sym symbol;
        const char *name = nullptr;
        if (gelf_getsym(data, static_cast<int>(i), &symbol))
            name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name && *name)
            use(symbol, name);
    }
}

// Adds the names of the COPY relocations of one section.
void add_copies(Elf *elf, Elf_Scn *section, const GElf_Shdr &header, DynamicSymbols &symbols) {
    Elf_Scn *table = elf_getscn(elf, header.sh_link);
    GElf_Shdr table_header;
    Elf_Data *data = elf_getdata(section, nullptr);
    Elf_Data *names = table ? elf_getdata(table, nullptr) : nullptr;
    if (!data || !names || !gelf_getshdr(table, &table_header) || !header.sh_entsize)
        return;
    for (size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
        GElf_Rela relocation;
        GElf_Sym symbol;
        if (!gelf_getrela(data, static_cast<int>(i), &relocation) ||
            GELF_R_TYPE(relocation.r_info) != R_X86_64_COPY ||
            !gelf_getsym(names, static_cast<int>(GELF_R_SYM(relocation.r_info)), &symbol))
            continue;
        if (const char *name = elf_strptr(elf, table_header.sh_link, symbol.st_name))
            symbols.copied.insert(name);
    }
}

} // namespace

bool read_dynamic_symbols(const std::string &path, DynamicSymbols &symbols) {
    elf_version(EV_CURRENT);
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    Elf *elf = file < 0 ? nullptr : elf_begin(file, ELF_C_READ_MMAP, nullptr);
    bool is_found = false;
    for (Elf_Scn *section = nullptr; elf && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header))
            continue;
        if (header.sh_type == SHT_RELA)
            add_copies(elf, section, header, symbols);
        if (header.sh_type != SHT_DYNSYM)
            continue;
        is_found = true;
        for_each_symbol(elf, section, header, [&](const GElf_Sym &symbol, const char *name) {
            if (symbol.st_shndx != SHN_UNDEF)
                symbols.defined.insert(name);
            else if (GELF_ST_BIND(symbol.st_info) != STB_WEAK)
                symbols.needed.insert(name);
        });
    }
    // A COPY is a definition in the executable, but it needs the object of the library.
    for (const std::string &name : symbols.copied) {
        symbols.defined.erase(name);
        symbols.needed.insert(name);
    }
    elf_end(elf);
    if (file >= 0)
        close(file);
    return is_found;
}

} // namespace abi
