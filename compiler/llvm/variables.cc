// The decisions of the LLVM pass about variables (variables.h). Constants are added to the private
// variables until none is left that contains a private address.
#include "variables.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace thrum {
namespace {

template <size_t N>
bool starts_with_one_of(StringRef name, const char *const (&prefixes)[N]) {
    return any_of(prefixes, [&](const char *prefix) { return name.starts_with(prefix); });
}

// Returns whether rule 3 excludes the variable: compilers, linkers and run-time libraries make
// these for themselves.
bool is_special(const GlobalValue &value) {
    static const char *const prefixes[] = {
        "_ZTV",    "_ZTT",     "_ZTC",       "_ZTI",    "_ZTS",      "llvm.",
        "DW.ref.", "__thrum_", "__prof",     "__llvm_", "__covrec_", "__sancov_",
        "__asan_", "___asan_", "__odr_asan", "__tsan_", "__ubsan_"};
    // A leading \1 keeps the assembler's name from being decorated.
    StringRef name = value.getName();
    name.consume_front("\1");
    return starts_with_one_of(name, prefixes) || value.getAddressSpace() != 0 ||
           StringSwitch<bool>(name)
               .Cases("__dso_handle", "_GLOBAL_OFFSET_TABLE_", "_DYNAMIC", true)
               .Default(false);
}

// Returns whether it is a table of functions for the start-up code: RELRO, and the same for all
// ranks.
bool is_for_start_up(const GlobalVariable &variable) {
    static const char *const sections[] = {".init_array", ".fini_array", ".preinit_array",
                                           ".ctors",      ".dtors",      ".note"};
    return variable.hasSection() && starts_with_one_of(variable.getSection(), sections);
}

// Returns whether the variable may be private.
bool is_candidate(const GlobalVariable &variable) {
    return !variable.isThreadLocal() && !is_special(variable) && !is_for_start_up(variable);
}

// Returns whether this module defines the variable; a copy for the optimiser only is no definition.
bool is_defined_here(const GlobalVariable &variable) {
    return !variable.isDeclaration() && !variable.hasAvailableExternallyLinkage();
}

// Returns whether the name means this definition in all of the module that is linked.
bool binds_locally(const GlobalValue &value) {
    return value.hasLocalLinkage() || value.isDSOLocal() || !value.hasDefaultVisibility();
}

} // namespace

// Decides about variables first and about aliases then, because an alias is accessed like the
// variable that it names.
Variables::Variables(Module &module) : module_(module) {
    for (GlobalVariable &variable : module.globals())
        if (is_private_by_itself(variable))
            private_.insert(&variable);
    add_constants_with_private_addresses();
    for (GlobalVariable &variable : module.globals()) {
        if (!is_candidate(variable))
            continue;
        bool defined = is_defined_here(variable);
        if (defined && !private_.count(&variable))
            continue;
        // Another unit may have decided otherwise about the same public constant, and its
        // definition may be the one that is linked.
        bool public_constant = variable.isConstant() && !variable.hasLocalLinkage();
        reach_[&variable] =
            defined && !public_constant && binds_locally(variable) ? Reach::Direct : Reach::Slot;
        reached_.insert(&variable);
    }
    for (GlobalAlias &alias : module.aliases()) {
        const auto *object = dyn_cast_or_null<GlobalVariable>(alias.getAliaseeObject());
        if (!object || reach_of(*object) == Reach::Shared)
            continue;
        bool direct = reach_of(*object) == Reach::Direct && binds_locally(alias);
        reach_[&alias] = direct ? Reach::Direct : Reach::Slot;
        reached_.insert(&alias);
    }
}

Reach Variables::reach_of(const GlobalValue &value) const {
    auto found = reach_.find(&value);
    return found == reach_.end() ? Reach::Shared : found->second;
}

bool Variables::is_private_by_itself(const GlobalVariable &variable) const {
    return is_candidate(variable) && is_defined_here(variable) && !variable.isConstant();
}

// Nothing is known about variables that are only declared here: they may be private.
bool Variables::holds_private_address(const Constant &value) const {
    SmallVector<const Constant *> open = {&value};
    SmallPtrSet<const Constant *, 16> seen;
    while (!open.empty()) {
        const Constant *next = open.pop_back_val();
        if (!seen.insert(next).second)
            continue;
        if (const auto *variable = dyn_cast<GlobalVariable>(next)) {
            if (is_candidate(*variable) && (!is_defined_here(*variable) ||
                                            private_.count(const_cast<GlobalVariable *>(variable))))
                return true;
        } else if (const auto *alias = dyn_cast<GlobalAlias>(next)) {
            open.push_back(alias->getAliasee());
        } else if (!isa<GlobalValue>(next)) {
            for (const Use &operand : next->operands())
                if (const auto *constant = dyn_cast<Constant>(operand.get()))
                    open.push_back(constant);
        }
    }
    return false;
}

// Makes constants private whose initial value contains a private address: every rank needs its own
// address there.
void Variables::add_constants_with_private_addresses() {
    for (bool again = true; again;) { // constants that point at such constants
        again = false;
        for (GlobalVariable &variable : module_.globals())
            if (is_candidate(variable) && is_defined_here(variable) && !private_.count(&variable) &&
                holds_private_address(*variable.getInitializer()))
                again = private_.insert(&variable);
    }
}

void Variables::make_writable() {
    static const char *const sections[] = {".rodata", ".data.rel.ro", ".text"};
    for (GlobalVariable *variable : private_) {
        if (variable->hasSection() && starts_with_one_of(variable->getSection(), sections))
            module_.getContext().emitError(
                "--privatize: the variable " + variable->getName() + " is in the section " +
                variable->getSection() +
                ", where a rank cannot have its own copy: put it into another section");
        if (!variable->isConstant())
            continue;
        variable->setConstant(false);
        variable->setUnnamedAddr(GlobalValue::UnnamedAddr::None);
    }
}

} // namespace thrum
