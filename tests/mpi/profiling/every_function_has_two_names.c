// MPI 5.0 section 15.2.1: "This requires, in C and Fortran, an alternate entry point name, with the
// prefix PMPI_ for each MPI function": for every MPI_X that libmpi_abi defines there is a PMPI_X,
// the same function unless a tool has taken MPI_X over.
// ranks: 1
// modes: fibers-1
#define _GNU_SOURCE
#include "world.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

// The number of entries of a GNU hash table's symbol table.
static size_t count_symbols(const uint32_t *table) {
    uint32_t buckets = table[0], first = table[1], bloom_words = table[2], last = 0;
    const uint32_t *bucket = table + 4 + 2 * bloom_words, *chain = bucket + buckets;
    for (uint32_t i = 0; i < buckets; ++i)
        if (bucket[i] > last)
            last = bucket[i];
    if (last < first)
        return first;
    while (!(chain[last - first] & 1))
        ++last;
    return last + 1;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    Dl_info info;
    struct link_map *map;
    CHECK(dladdr1((void *)PMPI_Send, &info, (void **)&map, RTLD_DL_LINKMAP));
    const ElfW(Sym) *symbols = NULL;
    const char *strings = NULL;
    const uint32_t *hash = NULL;
    for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; ++d) {
        if (d->d_tag == DT_SYMTAB)
            symbols = (const void *)d->d_un.d_ptr;
        else if (d->d_tag == DT_STRTAB)
            strings = (const void *)d->d_un.d_ptr;
        else if (d->d_tag == DT_GNU_HASH)
            hash = (const void *)d->d_un.d_ptr;
    }
    CHECK(symbols && strings && hash);
    size_t count = count_symbols(hash), functions = 0;
    for (size_t i = 0; i < count; ++i) {
        const char *name = strings + symbols[i].st_name;
        char shifted[128];
        if (strncmp(name, "MPI_", 4) != 0 || ELF64_ST_TYPE(symbols[i].st_info) != STT_FUNC ||
            symbols[i].st_shndx == SHN_UNDEF)
            continue;
        snprintf(shifted, sizeof shifted, "P%s", name);
        void *other = dlsym(RTLD_DEFAULT, shifted);
        if (!other)
            fprintf(stderr, "there is no %s\n", shifted);
        CHECK(other);
        CHECK(other == dlsym(RTLD_DEFAULT, name));
        ++functions;
    }
    CHECK(functions > 500);
    return finish();
}
