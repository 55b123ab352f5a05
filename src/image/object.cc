// Reads program headers and dynamic sections of all loaded objects (System V ABI, chapter 5). Only
// what the other files of this folder use is kept. Runs before the C library's constructor, so it
// does not allocate by malloc.
#include "image/object.h"

#include "image/foreign_mpi.h"
#include "image/sharing.h"

#include <climits>
#include <cstring>
#include <sys/auxv.h>
#include <unistd.h>

namespace thrum {
namespace {

char executable_path[PATH_MAX]; // what ld.so's list leaves empty; lives for ever

// ld.so has added the bias to some pointers of the dynamic section, in place, and not to others.
uintptr_t relocated(const Object &object, uintptr_t value) {
    return value < object.bias ? value + object.bias : value;
}

// Returns the address of a table of the dynamic section.
template <class T>
const T *pointer(const Object &object, const ElfW(Dyn) & entry) {
    return reinterpret_cast<const T *>(relocated(object, entry.d_un.d_ptr));
}

// A table of the dynamic section is an address entry and a size entry, which come in any order.
template <class T>
void set_address(std::span<const T> &table, const T *address) {
    table = std::span<const T>(address, table.size());
}

template <class T>
void set_size(std::span<const T> &table, size_t size_bytes) {
    table = std::span<const T>(table.data(), size_bytes / sizeof(T));
}

// Each of the next functions takes the entries that it knows and ignores the others.
void read_flags(Object &object, const ElfW(Dyn) & entry) {
    uintptr_t value = entry.d_un.d_val;
    switch (entry.d_tag) {
    case DT_TEXTREL:
        object.has_text_relocations = true;
        break;
    case DT_FLAGS:
        object.has_text_relocations |= (value & DF_TEXTREL) != 0;
        break;
    case DT_FLAGS_1:
        object.is_init_first = (value & DF_1_INITFIRST) != 0;
        break;
    default:
        break;
    }
}

void read_start_and_end(Object &object, const ElfW(Dyn) & entry) {
    switch (entry.d_tag) {
    case DT_INIT:
        object.init = relocated(object, entry.d_un.d_ptr);
        break;
    case DT_FINI:
        object.fini = relocated(object, entry.d_un.d_ptr);
        break;
    case DT_PREINIT_ARRAY:
        set_address(object.preinit_array, pointer<uintptr_t>(object, entry));
        break;
    case DT_PREINIT_ARRAYSZ:
        set_size(object.preinit_array, entry.d_un.d_val);
        break;
    case DT_INIT_ARRAY:
        set_address(object.init_array, pointer<uintptr_t>(object, entry));
        break;
    case DT_INIT_ARRAYSZ:
        set_size(object.init_array, entry.d_un.d_val);
        break;
    case DT_FINI_ARRAY:
        set_address(object.fini_array, pointer<uintptr_t>(object, entry));
        break;
    case DT_FINI_ARRAYSZ:
        set_size(object.fini_array, entry.d_un.d_val);
        break;
    default:
        break;
    }
}

void read_tables(Object &object, const ElfW(Dyn) & entry) {
    switch (entry.d_tag) {
    case DT_SYMTAB:
        object.symbols = pointer<ElfW(Sym)>(object, entry);
        break;
    case DT_STRTAB:
        object.strings = pointer<char>(object, entry);
        break;
    case DT_GNU_HASH:
        object.gnu_hash = pointer<uint32_t>(object, entry);
        break;
    case DT_HASH:
        object.sysv_hash = pointer<uint32_t>(object, entry);
        break;
    case DT_VERSYM:
        object.versions = pointer<uint16_t>(object, entry);
        break;
    case DT_VERNEED:
        object.versions_needed = pointer<ElfW(Verneed)>(object, entry);
        break;
    case DT_VERDEF:
        object.versions_defined = pointer<ElfW(Verdef)>(object, entry);
        break;
    case DT_RELA:
        set_address(object.relocations, pointer<ElfW(Rela)>(object, entry));
        break;
    case DT_RELASZ:
        set_size(object.relocations, entry.d_un.d_val);
        break;
    case DT_JMPREL:
        set_address(object.plt_relocations, pointer<ElfW(Rela)>(object, entry));
        break;
    case DT_PLTRELSZ:
        set_size(object.plt_relocations, entry.d_un.d_val);
        break;
    case DT_RELR:
        set_address(object.packed_relocations, pointer<uint64_t>(object, entry));
        break;
    case DT_RELRSZ:
        set_size(object.packed_relocations, entry.d_un.d_val);
        break;
    default:
        break;
    }
}

void read_dynamic_section(Object &object) {
    for (const ElfW(Dyn) *d = object.dynamic; d && d->d_tag != DT_NULL; ++d) {
        read_tables(object, *d);
        read_start_and_end(object, *d);
        read_flags(object, *d);
    }
    // The name needs the string table, whose entry may come later.
    for (const ElfW(Dyn) *d = object.dynamic; d && d->d_tag != DT_NULL; ++d)
        if (d->d_tag == DT_SONAME && object.strings)
            object.soname = object.string(d->d_un.d_val);
}

// Sets the object's extent, in whole pages, and finds its dynamic section and its TLS template.
void read_headers(Object &object) {
    uintptr_t low = UINTPTR_MAX, high = 0;
    object.alignment = page_bytes;
    for (const ElfW(Phdr) & p : object.headers) {
        uintptr_t address = object.bias + p.p_vaddr;
        switch (p.p_type) {
        case PT_LOAD:
            low = address < low ? address : low;
            high = address + p.p_memsz > high ? address + p.p_memsz : high;
            object.alignment = p.p_align > object.alignment ? p.p_align : object.alignment;
            break;
        case PT_DYNAMIC:
            object.dynamic = reinterpret_cast<ElfW(Dyn) *>(address);
            break;
        case PT_TLS:
            object.tls_image = address;
            object.tls_file_bytes = p.p_filesz;
            object.tls_bytes = p.p_memsz;
            object.tls_alignment = p.p_align;
            break;
        default:
            break;
        }
    }
    object.low = page_floor(low);
    object.high = page_ceil(high);
}

// Returns FS base: the psABI puts the thread pointer itself into its first word.
uintptr_t thread_pointer() {
    uintptr_t fs;
    __asm__("mov %%fs:0, %0" : "=r"(fs));
    return fs;
}

struct Scan {
    Objects &objects;
    const char *shared_list;
};

// Appends one object of ld.so's list. The first is the executable, whatever its name.
int add_object(dl_phdr_info *info, size_t, void *argument) {
    Scan &scan = *static_cast<Scan *>(argument);
    Object object{};
    object.bias = info->dlpi_addr;
    object.headers = {info->dlpi_phdr, info->dlpi_phnum};
    object.is_executable = scan.objects.empty();
    object.private_index = -1;
    // The name lives as long as the object is loaded: ld.so keeps it.
    object.path = object.is_executable ? executable_path : info->dlpi_name;
    read_object(object);
    object.tls_module = info->dlpi_tls_modid;
    if (info->dlpi_tls_data)
        // ld.so has allocated the blocks of objects that are loaded at the start below the FS base,
        // in every thread at the same distance.
        object.tls_offset = thread_pointer() - reinterpret_cast<uintptr_t>(info->dlpi_tls_data);
    object.is_libmpi = object.contains(reinterpret_cast<uintptr_t>(&executable_path));
    object.is_front = is_front(object.path);
    // The kernel's vdso is not a file, and its name differs.
    bool is_vdso = object.contains(::getauxval(AT_SYSINFO_EHDR)) || !*object.path;
    object.sharing = object.is_executable ? Sharing::Private
                     : is_vdso            ? Sharing::CLibrary
                                          : sharing_of(object.path, scan.shared_list);
    scan.objects.push_back(object);
    return 0;
}

} // namespace

void scan_objects(const char *shared_list) {
    ssize_t n = ::readlink("/proc/self/exe", executable_path, sizeof executable_path - 1);
    executable_path[n > 0 ? n : 0] = 0;
    objects().shrink_to(0);
    scan_objects_into(objects(), shared_list);
}

void scan_objects_into(Objects &list, const char *shared_list) {
    Scan scan{list, shared_list};
    // dlsym() because libmpi's own dl_iterate_phdr reports the calling rank's copies
    // (unwind_export.cc). RTLD_NEXT fails if a preloaded tool needs libmpi, which then comes behind
    // the C library; in that case the C library's function is the first of all.
    using Visit = int(dl_phdr_info *, size_t, void *);
    void *iterate = ::dlsym(RTLD_NEXT, "dl_iterate_phdr");
    if (!iterate)
        iterate = ::dlsym(RTLD_DEFAULT, "dl_iterate_phdr");
    CHECK(iterate, "the C library has no dl_iterate_phdr");
    reinterpret_cast<int (*)(Visit *, void *)>(iterate)(add_object, &scan);
}

void read_object(Object &object) {
    read_headers(object);
    read_dynamic_section(object);
}

Object *find_object(uintptr_t address) {
    for (Object &object : objects())
        if (object.contains(address))
            return &object;
    return nullptr;
}

const ElfW(Phdr) * find_segment(const Object &object, uintptr_t address) {
    for (const ElfW(Phdr) & p : object.headers)
        if (p.p_type == PT_LOAD && address - object.bias - p.p_vaddr < p.p_memsz)
            return &p;
    return nullptr;
}

bool is_named(const Object &object, const char *name) {
    const char *wanted = base_name(name);
    return !std::strcmp(wanted, base_name(object.path)) ||
           (object.soname && !std::strcmp(wanted, base_name(object.soname)));
}

} // namespace thrum
