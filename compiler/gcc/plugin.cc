// GCC plugin behind mpicc --privatize, for cc1, cc1plus, f951 and lto1: makes the variables of a
// program private to a rank by the contract of compiler/README.md.
//
//     variables.cc   which variables are private
//     rewrite.cc     the RTL pass: %gs
//     plugin.cc      sections of constants, the note, and the hooks into GCC
#include "rewrite.h"
#include "variables.h"

#include <string.h>

int plugin_is_GPL_compatible;

namespace thrum {
namespace {

constexpr int contract_version = 1;

// Before that, is_private() would decide too early: variables that are never written are not known
// yet.
bool middle_end_is_done = false;

// Makes constants that contain private addresses data. Called before the first function is
// expanded.
void choose_variables(void *, void *) {
    middle_end_is_done = true;
    varpool_node *node;
    FOR_EACH_DEFINED_VARIABLE(node)
    if (!node->alias && is_private(node->decl))
        make_writable(node->decl);
}

using SelectSection = section *(*)(tree, int, unsigned HOST_WIDE_INT);
using SelectRtxSection = section *(*)(machine_mode, rtx, unsigned HOST_WIDE_INT);
// GCC's own functions, which the two below replace.
SelectSection select_section;
SelectRtxSection select_rtx_section;

// Returns whether it is a private constant. Entries of constant pools have no declaration that
// make_writable() could change.
bool is_private_constant(tree expression) {
    if (TREE_CODE(expression) == VAR_DECL)
        return DECL_IN_CONSTANT_POOL(expression) &&
               may_hold_private_address(DECL_INITIAL(expression));
    return TREE_CODE(expression) != FUNCTION_DECL && !DECL_P(expression) &&
           may_hold_private_address(expression);
}

// Puts private constants into .data; GCC would choose a section that is RELRO or read-only. Others
// are placed by GCC.
section *place_constant(tree expression, int relocations, unsigned HOST_WIDE_INT alignment) {
    if (middle_end_is_done && is_private_constant(expression))
        return data_section;
    return select_section(expression, relocations, alignment);
}

section *place_rtx_constant(machine_mode mode, rtx value, unsigned HOST_WIDE_INT alignment) {
    if (middle_end_is_done && may_hold_private_address(value))
        return data_section;
    return select_rtx_section(mode, value, alignment);
}

// Writes the note of the contract: version, compiler and unit.
void write_note(FILE *file) {
    const char *unit = main_input_filename ? main_input_filename : "";
    fprintf(file,
            "\t.section .note.thrum.privatized,\"a\",@note\n\t.balign 4\n"
            "\t.long 6, 991f-990f, 1\n\t.asciz \"Thrum\"\n\t.balign 4\n"
            "990:\t.long %d\n\t.asciz \"gcc %s\"\n\t.asciz \"",
            contract_version, gcc_version.basever);
    for (const char *c = unit; *c; ++c)
        fprintf(file, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    fprintf(file, "\"\n991:\t.balign 4\n");
}

// Writes what the contract wants in each object. Not in the analysis step of link-time optimisation
// (WPA), which writes no code.
void finish_unit(void *, void *) {
    if (!asm_out_file || flag_wpa || seen_error())
        return;
    write_slots(asm_out_file);
    write_note(asm_out_file);
}

// Reports an error for options with which the rewritten code would be wrong.
bool is_supported_target() {
    if (!TARGET_64BIT) {
        error("%<--privatize%> needs 64-bit code: leave out %<-m32%>");
        return false;
    }
    if (ix86_cmodel != CM_SMALL && ix86_cmodel != CM_SMALL_PIC) {
        error("%<--privatize%> reaches variables within 2 GiB of the code: leave out "
              "%<-mcmodel%> (allocate large arrays), or %<--privatize%>");
        return false;
    }
    return true;
}

void check_target(void *, void *) {
    is_supported_target();
}

} // namespace
} // namespace thrum

// Called by GCC: registers the pass and the hooks. A plugin works only with the GCC that it was
// built for.
int plugin_init(plugin_name_args *info, plugin_gcc_version *version) {
    using namespace thrum;
    if (!plugin_default_version_check(version, &gcc_version)) {
        error("%<--privatize%>: the plugin was built for gcc %s (%s), this is gcc %s (%s): build "
              "Thrum again with the plugin headers of this compiler",
              gcc_version.basever, gcc_version.datestamp, version->basever, version->datestamp);
        return 1;
    }
    const char *name = info->base_name;
    register_pass_info pass = {new_rewrite_pass(g), "expand", 1, PASS_POS_INSERT_AFTER};
    register_callback(name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
    register_callback(name, PLUGIN_START_UNIT, check_target, nullptr);
    register_callback(name, PLUGIN_ALL_IPA_PASSES_END, choose_variables, nullptr);
    register_callback(name, PLUGIN_FINISH_UNIT, finish_unit, nullptr);
    select_section = targetm.asm_out.select_section;
    targetm.asm_out.select_section = place_constant;
    select_rtx_section = targetm.asm_out.select_rtx_section;
    targetm.asm_out.select_rtx_section = place_rtx_constant;
    return 0;
}
