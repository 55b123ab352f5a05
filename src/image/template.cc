// The layout of an image and the contents of the template; relocate.cc does the pointers. The
// template is a memfd: clones map large data copy-on-write from it, and text whose file is not
// usable.
#include "image/template.h"

#include "image/mapped_file.h"
#include "image/refuse.h"
#include "image/touched_pages.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr size_t copied_bytes_max = 1 << 20; // above, mapping costs less than copying
// Two huge pages: below, a mapping of its own is a waste.
constexpr size_t fresh_bytes_min = 4 << 20;

// Copies bytes of an original. Its variables may be between AddressSanitizer's fences, on which
// memcpy and memcmp would report errors; so neither is used here.
void copy_original(char *to, uintptr_t from, size_t size_bytes) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size_bytes) : : "memory");
}

size_t align_up(size_t value, size_t alignment) {
    return (value + alignment - 1) & ~(alignment - 1);
}

// Appends the text of `object` as runs, from its file (file >= 0) or from the template. Segments
// that are as far apart in the file as in memory become one run, with the gap between them: one
// mapping. Returns the number of runs.
size_t append_text_runs(Template &t, const Object &object, int file) {
    size_t first = t.texts.size();
    bool after_text = false;
    for (const ElfW(Phdr) & p : object.headers) {
        if (p.p_type != PT_LOAD)
            continue;
        if (p.p_flags & PF_W) {
            after_text = false;
            continue;
        }
        uintptr_t begin = page_floor(object.bias + p.p_vaddr);
        uintptr_t end = page_ceil(object.bias + p.p_vaddr + p.p_filesz);
        TextRun run{};
        run.offset = object.image_offset + (begin - object.low);
        run.size_bytes = end - begin;
        run.file = file >= 0 ? file : t.file;
        run.file_offset = static_cast<off_t>(file >= 0 ? page_floor(p.p_offset) : run.offset);
        TextRun *last = after_text ? &t.texts.back() : nullptr;
        if (last &&
            run.offset - last->offset == static_cast<size_t>(run.file_offset - last->file_offset))
            last->size_bytes = run.offset + run.size_bytes - last->offset;
        else
            t.texts.push_back(run);
        after_text = true;
    }
    return t.texts.size() - first;
}

// Copies the text into the template, for clones that map it from there.
void copy_text(Template &t, const Object &object) {
    for (const ElfW(Phdr) & p : object.headers) {
        if (p.p_type != PT_LOAD || (p.p_flags & PF_W))
            continue;
        uintptr_t begin = page_floor(object.bias + p.p_vaddr);
        uintptr_t end = page_ceil(object.bias + p.p_vaddr + p.p_filesz);
        copy_original(t.at(object, begin), begin, end - begin);
    }
}

// Takes the text from the file, if it is still the one that ld.so has mapped and one mapping
// suffices (lld's layout needs more). Otherwise copies it into the template, where it is one
// mapping.
void add_text(Template &t, const Object &object) {
    size_t first = t.texts.size();
    int file = open_mapped_file(object);
    if (file >= 0) {
        if (append_text_runs(t, object, file) <= 1)
            return;
        t.texts.shrink_to(first);
        ::close(file);
    }
    append_text_runs(t, object, -1);
    copy_text(t, object);
}

// Takes whole pages [begin, end) into the template.
void add_data_run(Template &t, const Object &object, uintptr_t begin, uintptr_t end) {
    if (begin >= end)
        return;
    copy_original(t.at(object, begin), begin, end - begin);
    DataKind kind = end - begin > copied_bytes_max ? DataKind::CopyOnWrite : DataKind::Copied;
    t.data.push_back({object.image_offset + (begin - object.low), end - begin, kind});
}

// Takes the pages of .bss that have been written.
void add_touched_pages(Template &t, const Object &object, uintptr_t begin, uintptr_t end) {
    for_each_touched_page(
        begin, end, [&](uintptr_t page) { add_data_run(t, object, page, page + page_bytes); });
}

// Takes the writable segments. A large .bss also becomes a mapping of its own, over which the few
// written pages are copied.
void add_data(Template &t, const Object &object) {
    for (const ElfW(Phdr) & p : object.headers) {
        if (p.p_type != PT_LOAD || !(p.p_flags & PF_W))
            continue;
        uintptr_t begin = page_floor(object.bias + p.p_vaddr);
        uintptr_t file_end = page_ceil(object.bias + p.p_vaddr + p.p_filesz);
        uintptr_t end = page_ceil(object.bias + p.p_vaddr + p.p_memsz);
        if (p.p_filesz == 0)
            file_end = begin;
        if (end - file_end >= fresh_bytes_min && end > file_end)
            t.data.push_back({object.image_offset + (file_end - object.low), end - file_end,
                              DataKind::FreshZero});
        add_data_run(t, object, begin, file_end);
        add_touched_pages(t, object, file_end, end);
    }
}

} // namespace

void lay_out(Template &t, Objects &objects) {
    for (Object &object : objects) {
        if (!object.is_private())
            continue;
        if (object.private_index < 0)
            object.private_index = t.private_count++;
        t.alignment = object.alignment > t.alignment ? object.alignment : t.alignment;
        // The image's base is aligned for the strictest object, so `low` keeps its residue.
        object.image_offset =
            align_up(t.size_bytes, object.alignment) + (object.low & (object.alignment - 1));
        t.size_bytes = object.image_offset + (object.high - object.low);
    }
    t.size_bytes = align_up(t.size_bytes, page_bytes);
}

void make_template_memory(Template &t) {
    t.file = ::memfd_create("thrum-template", MFD_CLOEXEC);
    if (t.file < 0 || ::ftruncate(t.file, static_cast<off_t>(t.size_bytes)) != 0)
        die(refusal_exit_code,
            "cannot make a memory file of %zu bytes for the template of the ranks' images: %s",
            t.size_bytes, std::strerror(errno));
    void *bytes = ::mmap(nullptr, t.size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, t.file, 0);
    if (bytes == MAP_FAILED)
        die(refusal_exit_code, "cannot map the template of the ranks' images (%zu bytes): %s",
            t.size_bytes, std::strerror(errno));
    t.bytes = static_cast<char *>(bytes);
}

void add_object_to_template(Template &t, const Object &object) {
    add_text(t, object);
    add_data(t, object);
}

void build_template(Template &t, Objects &objects) {
    lay_out(t, objects);
    make_template_memory(t);
    read_mappings();
    for (const Object &object : objects)
        if (object.is_private())
            add_object_to_template(t, object);
}

} // namespace thrum
