// Binds the slots of a plug-in by symbol lookup in the scope of the rank. The rules are those of
// image/bind.cc; what cannot be bound is an error of dlopen(), not the end of the process.
#include "image/addresses.h"
#include "image/overrides.h"
#include "plugin/copy.h"

#include <cstring>
#include <dlfcn.h>

namespace thrum {
namespace {

// Makes one binding: bind() is called for each relocation.
struct PluginBinder {
    Plugin &plugin;
    const PluginScope &scope;
    bool is_lazy;
    PluginBinding &binding;
    std::string &error;

    Definition look_up(size_t index);
    void bind(const ElfW(Rela) & r);
    void bind_symbol(const ElfW(Rela) & r);
    void bind_thread_local(const ElfW(Rela) & r);
    void put(uintptr_t slot, uintptr_t value, const Object *target);
    void fail(const char *name, const char *reason);
};

// The value of a missing function with RTLD_LAZY.
[[noreturn]] void unresolved_function() {
    die(127, "symbol lookup error: a plug-in called a function that is not defined (it was opened "
             "with RTLD_LAZY)");
}

// Sets the error, unless there is one.
void PluginBinder::fail(const char *name, const char *reason) {
    if (error.empty())
        error = std::string(plugin.object.path) + ": " + reason + name;
}

// Records the value of a slot. `slot` and `value` are addresses in the originals; `target` is the
// object that `value` points into, or nullptr.
void PluginBinder::put(uintptr_t slot, uintptr_t value, const Object *target) {
    Object &object = plugin.object;
    if (target && !target->is_private())
        target = nullptr;
    binding.slots.push_back({object.image_offset + (slot - object.low), value, target});
    if (!target)
        return;
    if (slot - object.tls_image < object.tls_file_bytes)
        object.tls_has_fixups = true;
    if (target->plugin && target->plugin != &plugin) {
        for (const Plugin *p : binding.reached)
            if (p == target->plugin)
                return;
        binding.reached.push_back(target->plugin);
    }
}

// Returns the definition of the object's symbol `index`.
Definition PluginBinder::look_up(size_t index) {
    const Object &object = plugin.object;
    if (Definition own = find_in_itself(object, index))
        return own;
    return look_up_in(scope, symbol_name(object, index), wanted_version(object, index));
}

// Binds a slot to a function or variable. An override replaces a function of the C library, as in
// the program's own slots.
void PluginBinder::bind_symbol(const ElfW(Rela) & r) {
    Object &object = plugin.object;
    uintptr_t slot = object.bias + r.r_offset;
    auto addend = ELF64_R_TYPE(r.r_info) == R_X86_64_64 ? static_cast<uintptr_t>(r.r_addend) : 0;
    size_t index = ELF64_R_SYM(r.r_info);
    const char *name = symbol_name(object, index);
    Definition d = look_up(index);
    if (!d) {
        bool is_weak = ELF64_ST_BIND(object.symbols[index].st_info) == STB_WEAK;
        bool is_call = ELF64_R_TYPE(r.r_info) == R_X86_64_JUMP_SLOT;
        if (!is_weak && is_call)
            binding.has_unresolved = true;
        if (is_weak)
            put(slot, addend, nullptr);
        else if (is_call && is_lazy)
            put(slot, reinterpret_cast<uintptr_t>(unresolved_function), nullptr);
        else
            fail(name, "undefined symbol: ");
        return;
    }
    if (d.symbol->st_shndx == SHN_ABS) {
        put(slot, d.symbol->st_value + addend, nullptr);
        return;
    }
    if (d.object->is_private()) {
        put(slot, d.address() + addend, d.object);
        return;
    }
    if (!std::strcmp(name, "__tls_get_addr")) {
        put(slot, reinterpret_cast<uintptr_t>(plugin_tls_address), nullptr);
        return;
    }
    const Overrides &overrides = captured_overrides();
    if (const FunctionOverride *f = find_function(overrides, name)) {
        put(slot, reinterpret_cast<uintptr_t>(f->function) + addend, nullptr);
        return;
    }
    put(slot, d.address() + addend, nullptr);
    if (const VariableOverride *v = find_variable(overrides, name))
        binding.variables.push_back(
            {object.image_offset + (slot - object.low), v->offset, static_cast<intptr_t>(addend)});
}

// Binds a slot to a thread-local variable of another object. Numbers of modules and offsets are the
// same for all ranks. What ld.so has written is right for the object's own variables.
void PluginBinder::bind_thread_local(const ElfW(Rela) & r) {
    const Object &object = plugin.object;
    size_t index = ELF64_R_SYM(r.r_info);
    auto type = ELF64_R_TYPE(r.r_info);
    if (index == 0)
        return;
    Definition d = look_up(index);
    if (!d || d.object == &object)
        return;
    const char *name = symbol_name(object, index);
    uintptr_t slot = object.bias + r.r_offset;
    uintptr_t value = d.symbol->st_value + static_cast<uintptr_t>(r.r_addend);
    if (d.object->tls_module == 0) {
        fail(name, "cannot be bound to a thread-local variable of a further executable: ");
    } else if (type == R_X86_64_DTPMOD64) {
        put(slot, d.object->tls_module, nullptr);
    } else if (type == R_X86_64_DTPOFF64) {
        put(slot, value, nullptr);
    } else if (type == R_X86_64_TPOFF64) {
        if (size_t offset = static_tls_offset(*d.object))
            put(slot, value - offset, nullptr);
        else
            fail(name, "cannot be bound to a thread-local variable without a fixed place: ");
    }
}

void PluginBinder::bind(const ElfW(Rela) & r) {
    Object &object = plugin.object;
    uintptr_t slot = object.bias + r.r_offset;
    switch (ELF64_R_TYPE(r.r_info)) {
    case R_X86_64_NONE:
    case R_X86_64_SIZE64:
        return;
    case R_X86_64_DTPMOD64:
    case R_X86_64_DTPOFF64:
    case R_X86_64_TPOFF64:
    case R_X86_64_TLSDESC:
        bind_thread_local(r);
        return;
    case R_X86_64_RELATIVE:
        put(slot, object.bias + static_cast<uintptr_t>(r.r_addend), &object);
        return;
    case R_X86_64_IRELATIVE:
        put(slot,
            reinterpret_cast<uintptr_t (*)()>(object.bias + static_cast<uintptr_t>(r.r_addend))(),
            &object);
        return;
    case R_X86_64_64:
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
        bind_symbol(r);
        return;
    default:
        fail("compile all its objects with -fPIC",
             "has a relocation that is not position-independent: ");
    }
}

bool is_defined_twice(const Definition &d) {
    return ELF64_ST_BIND(d.symbol->st_info) == STB_GNU_UNIQUE;
}

} // namespace

// The first object of the scope that defines the name counts.
Definition look_up_in(const PluginScope &scope, const char *name, const char *version) {
    Definition found;
    for (const Object *candidate : scope.search)
        if (const ElfW(Sym) *symbol = find_in_object(*candidate, name, version)) {
            found = {candidate, symbol};
            break;
        }
    if (!found || !is_defined_twice(found))
        return found;
    // The first that the rank has loaded, whether or not it is in the scope.
    for (const Object *candidate : scope.loaded)
        if (const ElfW(Sym) *symbol = find_in_object(*candidate, name, version))
            if (Definition first{candidate, symbol}; is_defined_twice(first))
                return first;
    return found;
}

const PluginBinding *bind_plugin(Plugin &plugin, const PluginScope &scope, bool is_lazy,
                                 std::string &error) {
    std::vector<const Object *> key = scope.search;
    key.push_back(nullptr);
    key.insert(key.end(), scope.loaded.begin(), scope.loaded.end());
    for (const PluginBinding *binding : plugin.bindings)
        if (binding->key == key && (is_lazy || !binding->has_unresolved))
            return binding;
    auto *binding = new PluginBinding;
    binding->key = std::move(key);
    PluginBinder binder{plugin, scope, is_lazy, *binding, error};
    for_each_relocation(plugin.object, [&](const ElfW(Rela) & r) { binder.bind(r); });
    for_each_packed(plugin.object, [&](uintptr_t slot) {
        binder.put(slot, load_word(reinterpret_cast<void *>(slot)), &plugin.object);
    });
    if (!error.empty()) {
        delete binding;
        return nullptr;
    }
    plugin.bindings.push_back(binding);
    return binding;
}

void apply_binding(const PluginBinding &binding, const PluginCopy &copy) {
    const Image *image = copy.image;
    for (const PluginSlot &s : binding.slots)
        store_word(copy.base + s.offset,
                   s.target ? address_in(image, *s.target, s.value) : s.value);
    // The rank that runs the originals has the C library's own.
    if (image->variables)
        for (const VariableFixup &v : binding.variables)
            store_word(copy.base + v.offset, reinterpret_cast<uintptr_t>(image->variables) +
                                                 v.variable_offset +
                                                 static_cast<uintptr_t>(v.addend));
}

} // namespace thrum
