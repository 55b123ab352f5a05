// The decisions of the GCC pass about variables (compiler/gcc/variables.h). A decision about a
// constant depends on those about the variables that its initialiser names, so decisions are made
// on demand and kept in `decisions`.
#include "variables.h"

#include <map>
#include <string.h>

namespace thrum {
namespace {

bool starts_with(const char *text, const char *prefix) {
    return !strncmp(text, prefix, strlen(prefix));
}

// Returns the name in the assembler file; GCC marks a name that gets no prefix with "*".
const char *assembler_name(tree variable) {
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(variable));
    return *name == '*' ? name + 1 : name;
}

// Returns whether rule 3 excludes the variable: compilers, linkers and run-time libraries make
// these for themselves.
bool is_special(tree variable) {
    static const char *const prefixes[] = {"_ZTV",    "_ZTT",    "_ZTC",     "_ZTI",
                                           "_ZTS",    "DW.ref.", "__thrum_", "__gcov",
                                           "__asan_", "__odr_",  ".LASAN",   "__sancov"};
    static const char *const names[] = {"__dso_handle", "_GLOBAL_OFFSET_TABLE_", "_DYNAMIC"};
    if (DECL_VIRTUAL_P(variable)) // vtables
        return true;
    if (!DECL_ASSEMBLER_NAME_SET_P(variable) && !HAS_DECL_ASSEMBLER_NAME_P(variable))
        return true;
    const char *name = assembler_name(variable);
    for (const char *prefix : prefixes)
        if (starts_with(name, prefix))
            return true;
    for (const char *special : names)
        if (!strcmp(name, special))
            return true;
    return false;
}

// Returns whether it is a variable with static storage that may be private: not thread-local, not
// in a register.
bool is_candidate(tree d) {
    return TREE_CODE(d) == VAR_DECL && (TREE_STATIC(d) || DECL_EXTERNAL(d)) &&
           !DECL_THREAD_LOCAL_P(d) && !DECL_HARD_REGISTER(d) && !DECL_HAS_VALUE_EXPR_P(d) &&
           !is_special(d);
}

// Returns whether GCC makes it read-only. A constant that its constructor fills is not read-only to
// the compiler, nor, before GCC 13, is a volatile one.
bool is_constant(tree d) {
#if BUILDING_GCC_VERSION >= 13000
    const bool is_written = false;
#else
    const bool is_written = TREE_SIDE_EFFECTS(d);
#endif
    return (TREE_READONLY(d) && !is_written) || DECL_IN_CONSTANT_POOL(d);
}

// Returns the initialiser, which link-time optimisation reads only on request.
tree initial_value(tree d) {
    if (DECL_INITIAL(d) == error_mark_node && in_lto_p && !DECL_EXTERNAL(d))
        if (varpool_node *node = varpool_node::get(d))
            return node->get_constructor();
    return DECL_INITIAL(d);
}

// What was decided about a variable.
struct Decision {
    bool is_private;
    bool was_constant;
};

std::map<tree, Decision> decisions; // a map, because decide() keeps references to its elements

// Returns the decision about a variable that is defined here.
const Decision &decide(tree d) {
    auto found = decisions.find(d);
    if (found != decisions.end())
        return found->second;
    Decision &decision = decisions[d];
    // Set first, so that a constant that contains its own address counts as private during the
    // decision.
    decision = {true, is_constant(d)};
    if (decision.was_constant)
        decision.is_private = may_hold_private_address(initial_value(d));
    return decision;
}

// Returns the variable that an alias names; others are returned as they are.
tree target_of_alias(tree d) {
    varpool_node *node = varpool_node::get(d);
    if (node && node->alias && node->definition)
        if (varpool_node *target = node->ultimate_alias_target())
            return target->decl;
    return d;
}

// Returns whether this unit defines the variable.
bool is_defined_here(tree d) {
    return is_candidate(d) && !DECL_EXTERNAL(d);
}

} // namespace

bool is_private(tree d) {
    return is_defined_here(d) && decide(d).is_private;
}

// Entries of constant pools have no declaration, or a CONST_DECL: their contents decide.
Reach reach_of(rtx symbol) {
    if (SYMBOL_REF_FUNCTION_P(symbol))
        return Reach::Shared;
    if (CONSTANT_POOL_ADDRESS_P(symbol))
        return may_hold_private_address(get_pool_constant(symbol)) ? Reach::Direct : Reach::Shared;
    tree d = SYMBOL_REF_DECL(symbol);
    if (!d)
        return Reach::Shared;
    if (TREE_CODE(d) == CONST_DECL)
        return may_hold_private_address(DECL_INITIAL(d)) ? Reach::Direct : Reach::Shared;
    if (!is_candidate(d))
        return Reach::Shared;
    tree target = target_of_alias(d);
    if (!is_defined_here(target))
        return Reach::Slot;
    const Decision &decision = decide(target);
    if (!decision.is_private)
        return Reach::Shared;
    // Another unit may have decided otherwise about the same public constant, and its definition
    // may be the one that is linked.
    if (decision.was_constant && TREE_PUBLIC(d))
        return Reach::Slot;
    return SYMBOL_REF_LOCAL_P(symbol) || targetm.binds_local_p(d) ? Reach::Direct : Reach::Slot;
}

bool may_hold_private_address(tree value) {
    if (!value || value == error_mark_node)
        return false;
    STRIP_NOPS(value);
    switch (TREE_CODE(value)) {
    case ADDR_EXPR: {
        tree base = get_base_address(TREE_OPERAND(value, 0));
        if (!base)
            return false;
        if (TREE_CODE(base) == COMPOUND_LITERAL_EXPR)
            base = COMPOUND_LITERAL_EXPR_DECL(base);
        if (TREE_CODE(base) == CONST_DECL)
            return may_hold_private_address(DECL_INITIAL(base));
        if (TREE_CODE(base) != VAR_DECL || !is_candidate(base))
            return false;
        tree target = target_of_alias(base);
        return !is_defined_here(target) || decide(target).is_private;
    }
    case CONSTRUCTOR: {
        unsigned i;
        tree element;
        FOR_EACH_CONSTRUCTOR_VALUE(CONSTRUCTOR_ELTS(value), i, element)
        if (may_hold_private_address(element))
            return true;
        return false;
    }
    default:
        if (EXPR_P(value))
            for (int i = 0; i < TREE_OPERAND_LENGTH(value); ++i)
                if (may_hold_private_address(TREE_OPERAND(value, i)))
                    return true;
        return false;
    }
}

// Used for entries of the constant pool, which have no tree.
bool may_hold_private_address(rtx value) {
    subrtx_iterator::array_type array;
    FOR_EACH_SUBRTX(iterator, array, value, ALL)
    if (SYMBOL_REF_P(*iterator) && reach_of(const_cast<rtx>(*iterator)) != Reach::Shared)
        return true;
    return false;
}

void make_writable(tree d) {
    if (!decide(d).was_constant || DECL_IN_CONSTANT_POOL(d))
        return; // in the constant pool: see place_constant() in plugin.cc
    TREE_READONLY(d) = 0;
    // A section that the compiler has chosen already was chosen for a constant.
    varpool_node *node = varpool_node::get(d);
    if (node && node->implicit_section && DECL_SECTION_NAME(d))
        set_decl_section_name(d, static_cast<const char *>(nullptr));
}

} // namespace thrum
