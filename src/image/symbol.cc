// The hash tables and version tables of an object (symbol.h). Nothing is cached: lookups happen at
// the start and when something is loaded.
#include "image/symbol.h"

#include <cstring>

namespace thrum {
namespace {

constexpr uint16_t version_mask = 0x7fff; // the rest of a version index says "hidden"
constexpr uint16_t version_hidden = 0x8000;
constexpr uint16_t version_global = 1; // 0: local, 1: the object's own, unversioned

// Returns the record `bytes` behind this one; the tables are chained by distances.
template <class T>
const T *advance(const T *record, size_t bytes) {
    return reinterpret_cast<const T *>(reinterpret_cast<const char *>(record) + bytes);
}

// Return the name of the version with this index, or nullptr: among those that the object defines,
// and among those that it needs.
const char *defined_version(const Object &object, uint16_t index) {
    for (const ElfW(Verdef) *v = object.versions_defined; v; v = advance(v, v->vd_next)) {
        if (v->vd_ndx == index) {
            auto *name = reinterpret_cast<const ElfW(Verdaux) *>(reinterpret_cast<const char *>(v) +
                                                                 v->vd_aux);
            return object.string(name->vda_name);
        }
        if (v->vd_next == 0)
            break;
    }
    return nullptr;
}

const char *needed_version(const Object &object, uint16_t index) {
    for (const ElfW(Verneed) *v = object.versions_needed; v; v = advance(v, v->vn_next)) {
        auto *a =
            reinterpret_cast<const ElfW(Vernaux) *>(reinterpret_cast<const char *>(v) + v->vn_aux);
        for (int k = 0; k < v->vn_cnt; ++k, a = advance(a, a->vna_next))
            if (a->vna_other == index)
                return object.string(a->vna_name);
        if (v->vn_next == 0)
            break;
    }
    return nullptr;
}

// Returns whether the symbol's version is the wanted one. A reference without a version takes what
// is not hidden. One with a version takes its equal, or an unversioned definition (a program's own
// malloc replaces malloc@GLIBC_2.2.5).
bool version_matches(const Object &object, size_t symbol_index, const char *version) {
    if (!object.versions)
        return true;
    uint16_t entry = object.versions[symbol_index];
    if (!version)
        return !(entry & version_hidden);
    uint16_t index = entry & version_mask;
    if (index <= version_global)
        return !(entry & version_hidden);
    const char *defined = defined_version(object, index);
    if (!defined) // a COPY in an executable has the version of what it copies
        defined = needed_version(object, index);
    return defined && !std::strcmp(defined, version);
}

// Returns whether the symbol is a global definition of this name and version.
bool matches(const Object &object, size_t symbol_index, const char *name, const char *version) {
    const ElfW(Sym) &s = object.symbols[symbol_index];
    return s.st_shndx != SHN_UNDEF && ELF64_ST_BIND(s.st_info) != STB_LOCAL &&
           !std::strcmp(object.string(s.st_name), name) &&
           version_matches(object, symbol_index, version);
}

// Finds the definition by DT_GNU_HASH; nullptr if there is none.
const ElfW(Sym) * find_by_gnu_hash(const Object &object, const char *name, const char *version) {
    uint32_t hash = 5381;
    for (auto *c = reinterpret_cast<const unsigned char *>(name); *c; ++c)
        hash = hash * 33 + *c;
    const uint32_t *table = object.gnu_hash;
    uint32_t bucket_count = table[0], first_symbol = table[1], bloom_words = table[2];
    auto *bloom = reinterpret_cast<const uint64_t *>(table + 4);
    // The Bloom filter answers most lookups of absent names with one load.
    uint64_t filter = bloom_words ? bloom[(hash / 64) % bloom_words] : ~uint64_t{0};
    if (!(filter >> (hash % 64) & filter >> ((hash >> table[3]) % 64) & 1))
        return nullptr;
    const uint32_t *buckets = table + 4 + 2 * bloom_words;
    const uint32_t *chains = buckets + bucket_count;
    uint32_t symbol_index = bucket_count ? buckets[hash % bucket_count] : 0;
    if (symbol_index < first_symbol)
        return nullptr;
    for (;; ++symbol_index) {
        uint32_t entry = chains[symbol_index - first_symbol];
        if ((entry | 1) == (hash | 1) && matches(object, symbol_index, name, version))
            return &object.symbols[symbol_index];
        if (entry & 1) // end of chain
            return nullptr;
    }
}

// Does the same by DT_HASH, for objects without DT_GNU_HASH.
const ElfW(Sym) * find_by_sysv_hash(const Object &object, const char *name, const char *version) {
    uint32_t hash = 0;
    for (auto *c = reinterpret_cast<const unsigned char *>(name); *c; ++c) {
        hash = (hash << 4) + *c;
        uint32_t high = hash & 0xf0000000;
        hash = (hash ^ (high >> 24)) & ~high;
    }
    const uint32_t *table = object.sysv_hash;
    uint32_t bucket_count = table[0];
    const uint32_t *buckets = table + 2;
    const uint32_t *chains = buckets + bucket_count;
    for (uint32_t i = bucket_count ? buckets[hash % bucket_count] : 0; i != STN_UNDEF;
         i = chains[i])
        if (matches(object, i, name, version))
            return &object.symbols[i];
    return nullptr;
}

// Returns whether the object looks its symbols up in itself first (-Bsymbolic).
bool is_symbolic(const Object &object) {
    for (const ElfW(Dyn) *d = object.dynamic; d && d->d_tag != DT_NULL; ++d)
        if (d->d_tag == DT_SYMBOLIC || (d->d_tag == DT_FLAGS && (d->d_un.d_val & DF_SYMBOLIC)))
            return true;
    return false;
}

} // namespace

uintptr_t Definition::address() const {
    uintptr_t value = object->bias + symbol->st_value;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_GNU_IFUNC)
        return value;
    return reinterpret_cast<uintptr_t (*)()>(value)();
}

bool is_own_definition(const Object &object, size_t symbol_index) {
    const ElfW(Sym) &s = object.symbols[symbol_index];
    return s.st_shndx != SHN_UNDEF && (ELF64_ST_BIND(s.st_info) == STB_LOCAL ||
                                       ELF64_ST_VISIBILITY(s.st_other) != STV_DEFAULT);
}

Definition find_in_itself(const Object &object, size_t symbol_index) {
    if (is_own_definition(object, symbol_index))
        return {&object, &object.symbols[symbol_index]};
    if (!is_symbolic(object))
        return {};
    const ElfW(Sym) *symbol = find_in_object(object, symbol_name(object, symbol_index),
                                             wanted_version(object, symbol_index));
    return symbol ? Definition{&object, symbol} : Definition{};
}

// The GNU hash table has no count: the last chain's end marks the last symbol.
size_t symbol_count(const Object &object) {
    if (!object.gnu_hash)
        return object.sysv_hash ? object.sysv_hash[1] : 0;
    const uint32_t *table = object.gnu_hash;
    const uint32_t *buckets = table + 4 + 2 * table[2], *chains = buckets + table[0];
    uint32_t last = 0;
    for (uint32_t i = 0; i < table[0]; ++i)
        last = buckets[i] > last ? buckets[i] : last;
    if (last < table[1])
        return table[1];
    while (!(chains[last - table[1]] & 1))
        ++last;
    return last + 1;
}

const char *symbol_name(const Object &object, size_t symbol_index) {
    return object.string(object.symbols[symbol_index].st_name);
}

const char *wanted_version(const Object &object, size_t symbol_index) {
    if (!object.versions)
        return nullptr;
    uint16_t index = object.versions[symbol_index] & version_mask;
    if (index <= version_global)
        return nullptr;
    const char *version = needed_version(object, index);
    return version ? version : defined_version(object, index);
}

const ElfW(Sym) * find_in_object(const Object &object, const char *name, const char *version) {
    if (!object.symbols || !object.strings)
        return nullptr;
    if (object.gnu_hash)
        return find_by_gnu_hash(object, name, version);
    if (object.sysv_hash)
        return find_by_sysv_hash(object, name, version);
    return nullptr;
}

} // namespace thrum
