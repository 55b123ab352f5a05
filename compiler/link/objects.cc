// Reads ELF objects and archives with libelf, and finds mixtures (compiler/link/objects.h).
#include "objects.h"

#include "image/privatized_note.h"

#include <fcntl.h>
#include <fstream>
#include <gelf.h>
#include <set>
#include <unistd.h>

namespace thrum {
namespace {

bool starts_with(const std::string &text, const char *prefix) {
    return text.rfind(prefix, 0) == 0;
}

std::string base_name(const std::string &path) {
    return path.substr(path.rfind('/') + 1);
}

// Recognises start-up files, and what the C library and the compiler link in statically: their few
// variables are written before main or never.
bool is_known(const std::string &file) {
    static const std::set<std::string> names = {"crt1.o",
                                                "Scrt1.o",
                                                "rcrt1.o",
                                                "gcrt1.o",
                                                "crti.o",
                                                "crtn.o",
                                                "crtbegin.o",
                                                "crtbeginS.o",
                                                "crtbeginT.o",
                                                "crtend.o",
                                                "crtendS.o",
                                                "crtfastmath.o",
                                                "crtprec32.o",
                                                "crtprec64.o",
                                                "crtprec80.o",
                                                "libc_nonshared.a",
                                                "libgcc.a",
                                                "libgcc_eh.a",
                                                "libssp_nonshared.a",
                                                "libpthread_nonshared.a"};
    return names.count(base_name(file)) != 0;
}

// Returns whether it is read-only once ld.so has relocated it, or is not data of the program.
bool is_relro_section(const std::string &name) {
    for (const char *prefix : {".data.rel.ro", ".init_array", ".fini_array", ".preinit_array",
                               ".ctors", ".dtors", ".jcr", ".eh_frame", ".tm_clone_table", ".got"})
        if (starts_with(name, prefix))
            return true;
    return name.find("DW.ref.") != std::string::npos;
}

// Reads one object: its sections first, because symbols refer to them.
class ObjectReader {
public:
    ObjectReader(Elf *elf, LinkedObject &object) : elf_(elf), object_(object) {}

    void read() {
        size_t names = 0;
        elf_getshdrstrndx(elf_, &names);
        for (Elf_Scn *s = nullptr; (s = elf_nextscn(elf_, s));) {
            GElf_Shdr header;
            gelf_getshdr(s, &header);
            const char *name = elf_strptr(elf_, names, header.sh_name);
            read_section(s, header, name ? name : "");
        }
        for (Elf_Scn *s = nullptr; (s = elf_nextscn(elf_, s));) {
            GElf_Shdr header;
            gelf_getshdr(s, &header);
            if (header.sh_type == SHT_SYMTAB)
                read_symbols(s, header);
        }
        for (const auto &[index, name] : data_sections_) // without a symbol
            if (!named_.count(index))
                object_.variables.push_back("section " + name);
    }

private:
    // Notes whether the section has variables, the note of a pass, or code for link-time
    // optimisation.
    void read_section(Elf_Scn *s, const GElf_Shdr &header, const std::string &name) {
        bool is_data = (header.sh_flags & SHF_ALLOC) && (header.sh_flags & SHF_WRITE) &&
                       !(header.sh_flags & SHF_TLS) && header.sh_size > 0;
        if (is_data && !is_relro_section(name))
            data_sections_[elf_ndxscn(s)] = name;
        if (starts_with(name, ".gnu.lto_") || name == ".llvm.lto")
            object_.is_link_time_optimised = true;
        Elf_Data *data = header.sh_type == SHT_NOTE ? elf_rawdata(s, nullptr) : nullptr;
        if (data)
            privatized::for_each_note(
                static_cast<char *>(data->d_buf), data->d_size,
                [this](uint32_t type, char *text, size_t size) { read_note(type, text, size); });
    }

    // Reads a note of the contract.
    void read_note(uint32_t type, const char *description, size_t size_bytes) {
        uint32_t version;
        std::memcpy(&version, description, sizeof version);
        object_.is_privatized = true;
        if (version == privatized::contract_version)
            return;
        object_.foreign_version = version;
        if (type == privatized::object_note)
            object_.foreign_pass.assign(description + 4, strnlen(description + 4, size_bytes - 4));
    }

    void read_symbols(Elf_Scn *s, const GElf_Shdr &header) {
        Elf_Data *data = elf_getdata(s, nullptr);
        size_t count = header.sh_entsize ? header.sh_size / header.sh_entsize : 0;
        for (size_t i = 1; data && i < count; ++i) {
            GElf_Sym symbol;
            gelf_getsym(data, static_cast<int>(i), &symbol);
            const char *name = elf_strptr(elf_, header.sh_link, symbol.st_name);
            if (name && *name)
                read_symbol(symbol, name);
        }
    }

    // Records a symbol that other objects must define, or that names a variable.
    void read_symbol(const GElf_Sym &symbol, const char *name) {
        bool is_global = GELF_ST_BIND(symbol.st_info) != STB_LOCAL;
        unsigned type = GELF_ST_TYPE(symbol.st_info);
        if (symbol.st_shndx == SHN_UNDEF) {
            if (is_global)
                object_.undefined.push_back(name);
            return;
        }
        bool is_data = symbol.st_shndx == SHN_COMMON || data_sections_.count(symbol.st_shndx) != 0;
        if (!is_data || type == STT_SECTION || type == STT_FILE || type == STT_TLS)
            return;
        named_.insert(symbol.st_shndx);
        object_.variables.push_back(name);
        if (is_global)
            object_.private_names.push_back(name);
    }

    Elf *elf_;
    LinkedObject &object_;
    std::unordered_map<size_t, std::string> data_sections_; // with variables, by index
    std::set<size_t> named_; // of these, sections that a symbol names
};

// Appends the object, if the file is a relocatable one.
void read_object(Elf *elf, const std::string &name, std::vector<LinkedObject> &objects) {
    GElf_Ehdr header;
    if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header) || header.e_type != ET_REL)
        return;
    LinkedObject object;
    object.name = name;
    ObjectReader(elf, object).read();
    objects.push_back(std::move(object));
}

// Parses the two ways in which linkers name a member. Returns false if `path` is a file.
bool split_member(const std::string &path, std::string &archive, std::string &member) {
    if (path.empty())
        return false;
    size_t open = path.front() == '(' ? 0 : path.rfind('(');
    size_t close = path.front() == '(' ? path.find(')') : path.size() - 1;
    if (open == std::string::npos || close == std::string::npos || path[close] != ')' ||
        ::access(path.c_str(), F_OK) == 0)
        return false;
    archive = path.front() == '(' ? path.substr(1, close - 1) : path.substr(0, open);
    member = path.front() == '(' ? path.substr(close + 1) : path.substr(open + 1, close - open - 1);
    return true;
}

// Reads all members with this name: an archive may contain several, and the linker's trace does not
// tell them apart.
void read_member(int file, const std::string &archive, const std::string &member,
                 std::vector<LinkedObject> &objects) {
    Elf *all = elf_begin(file, ELF_C_READ_MMAP, nullptr);
    if (!all)
        return;
    Elf_Cmd command = ELF_C_READ_MMAP;
    while (Elf *elf = elf_begin(file, command, all)) {
        const Elf_Arhdr *header = elf_getarhdr(elf);
        if (header && header->ar_name && member == header->ar_name)
            read_object(elf, archive + "(" + member + ")", objects);
        command = elf_next(elf);
        elf_end(elf);
    }
    elf_end(all);
}

// Returns whether the archive is thin: it contains only the names of its members, which are
// separate files.
bool is_thin(const std::string &archive) {
    char magic[9] = "";
    std::ifstream(archive).read(magic, 8);
    return !std::strcmp(magic, "!<thin>\n");
}

// Reads an object that is a file.
void read_file(const std::string &path, std::vector<LinkedObject> &objects) {
    int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return; // temporary objects of link-time optimisation, removed already
    if (Elf *elf = elf_begin(file, ELF_C_READ_MMAP, nullptr)) {
        read_object(elf, path, objects);
        elf_end(elf);
    }
    ::close(file);
}

// Returns the end of a message: what the user can do about an object.
std::string remedy(const std::string &object) {
    return ". Compile " + object +
           " with --privatize, or link without --privatize (the program then runs as clones)";
}

} // namespace

void read_linked_objects(const std::string &path, std::vector<LinkedObject> &objects) {
    elf_version(EV_CURRENT);
    std::string archive, member;
    if (!split_member(path, archive, member)) {
        if (!is_known(path))
            read_file(path, objects);
        return;
    }
    if (is_known(archive))
        return;
    if (is_thin(archive)) {
        size_t slash = archive.rfind('/');
        std::string directory = slash == std::string::npos ? "" : archive.substr(0, slash + 1);
        read_file(member.front() == '/' ? member : directory + member, objects);
        return;
    }
    int file = ::open(archive.c_str(), O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        read_member(file, archive, member, objects);
        ::close(file);
    }
}

// Collects all private names first, because an object may use a variable that a later object
// defines.
std::string find_mixture(const std::vector<LinkedObject> &objects) {
    std::unordered_map<std::string, const LinkedObject *> definitions;
    for (const LinkedObject &object : objects) {
        if (object.foreign_version)
            return object.name + " was privatised by contract version " +
                   std::to_string(object.foreign_version) + " (" + object.foreign_pass +
                   "), and this is version " + std::to_string(privatized::contract_version) +
                   ". Compile it again";
        if (object.is_privatized)
            for (const std::string &name : object.private_names)
                definitions.emplace(name, &object);
    }
    for (const LinkedObject &object : objects) {
        if (object.is_privatized || object.is_link_time_optimised)
            continue;
        if (!object.variables.empty())
            return object.name + " was compiled without --privatize and defines '" +
                   object.variables.front() + "', which all ranks would share" +
                   remedy(object.name);
        for (const std::string &name : object.undefined)
            if (auto found = definitions.find(name); found != definitions.end())
                return object.name + " was compiled without --privatize and uses '" + name +
                       "', which " + found->second->name + " defines as private" +
                       remedy(object.name);
    }
    return "";
}

// Writes only one word of the file, because elf_update() would write the whole module.
bool mark_whole(const std::string &path) {
    elf_version(EV_CURRENT);
    int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0)
        return false;
    bool marked = false;
    Elf *elf = elf_begin(file, ELF_C_READ_MMAP_PRIVATE, nullptr);
    size_t count = 0;
    if (elf && elf_getphdrnum(elf, &count) == 0) {
        size_t file_bytes = 0;
        char *bytes = elf_rawfile(elf, &file_bytes);
        for (size_t i = 0; bytes && i < count; ++i) {
            GElf_Phdr p;
            if (!gelf_getphdr(elf, static_cast<int>(i), &p) || p.p_type != PT_NOTE)
                continue;
            auto mark = [&](uint32_t type, const char *description, size_t) {
                if (type != privatized::module_note)
                    return;
                uint32_t whole = 1;
                off_t at = description - bytes +
                           static_cast<off_t>(offsetof(privatized::ModuleNote, state));
                marked = ::pwrite(file, &whole, sizeof whole, at) == sizeof whole;
            };
            privatized::for_each_note(bytes + p.p_offset, p.p_filesz, mark);
        }
    }
    elf_end(elf);
    ::close(file);
    return marked;
}

} // namespace thrum
