// GCC plugin behind mpicc --check, for cc1 and cc1plus: tells the library what a buffer is in the
// program. In each call of MPI with a buffer and a datatype,
//
//     MPI_Send(x, n, MPI_INT, ...)   becomes
//     MPI_Send(thrum_check_typed(x, size, n, MPI_INT, comm, root, "MPI_Send buf|double|8 0f8"),
//              n, MPI_INT, ...)
//
// `size` is what __builtin_object_size() knows about x. The text describes what x points to: the
// call and the argument ("*" before them: n elements for each rank), the type's name, its size, and
// its elements: displacement, kind and size, for an array "*count". Kinds: i and u (integers),
// f, z (complex), b (bool), e (enumeration), p (pointer), c (a single character of a struct). What
// is not known is left out; "?" stands for a type of which nothing is.
//
// buffer_types.c has the function, src/check/buffer_types.cc reads the text. free(x) becomes
// free(thrum_check_freed(x)).
#include "../gcc/gcc_headers.h"

#include <stdio.h>
#include <string.h>
#include <string>

int plugin_is_GPL_compatible;

namespace thrum {
namespace {

// Where a function has a buffer, the count of its elements (-1: an array, or not known) and its
// datatype; if the buffer has as many for each rank, or matters at the root only, where it has the
// root (0: it has none) and the communicator.
struct Place {
    int buffer, count, type;
    int root = 0, comm = 0;
    bool is_for_each_rank = false;
};

struct Function {
    const char *name; // without MPI_, and without what names_of_forms() knows
    const char *arguments[3];
    Place places[3]; // the unused ones have type 0
};

const Function functions[] = {
    {"Send", {"buf"}, {{0, 1, 2}}},
    {"Bsend", {"buf"}, {{0, 1, 2}}},
    {"Ssend", {"buf"}, {{0, 1, 2}}},
    {"Rsend", {"buf"}, {{0, 1, 2}}},
    {"Recv", {"buf"}, {{0, 1, 2}}},
    {"Mrecv", {"buf"}, {{0, 1, 2}}},
    {"Psend", {"buf"}, {{0, -1, 3}}},
    {"Precv", {"buf"}, {{0, -1, 3}}},
    {"Sendrecv", {"sendbuf", "recvbuf"}, {{0, 1, 2}, {5, 6, 7}}},
    {"Sendrecv_replace", {"buf"}, {{0, 1, 2}}},
    {"Bcast", {"buffer"}, {{0, 1, 2}}},
    {"Gather", {"sendbuf", "recvbuf"}, {{0, 1, 2}, {3, 4, 5, 6, 7, true}}},
    {"Gatherv", {"sendbuf", "recvbuf"}, {{0, 1, 2}, {3, -1, 6, 7, 8}}},
    {"Scatter", {"sendbuf", "recvbuf"}, {{0, 1, 2, 6, 7, true}, {3, 4, 5}}},
    {"Scatterv", {"sendbuf", "recvbuf"}, {{0, -1, 3, 7, 8}, {4, 5, 6}}},
    {"Allgather", {"sendbuf", "recvbuf"}, {{0, 1, 2}, {3, 4, 5, 0, 6, true}}},
    {"Allgatherv", {"sendbuf", "recvbuf"}, {{0, 1, 2}, {3, -1, 6}}},
    {"Alltoall", {"sendbuf", "recvbuf"}, {{0, 1, 2, 0, 6, true}, {3, 4, 5, 0, 6, true}}},
    {"Alltoallv", {"sendbuf", "recvbuf"}, {{0, -1, 3}, {4, -1, 7}}},
    {"Neighbor_allgather", {"sendbuf", "recvbuf"}, {{0, 1, 2}, {3, -1, 5}}},
    {"Neighbor_alltoall", {"sendbuf", "recvbuf"}, {{0, -1, 2}, {3, -1, 5}}},
    {"Reduce", {"sendbuf", "recvbuf"}, {{0, 2, 3}, {1, 2, 3, 5, 6}}},
    {"Allreduce", {"sendbuf", "recvbuf"}, {{0, 2, 3}, {1, 2, 3}}},
    {"Scan", {"sendbuf", "recvbuf"}, {{0, 2, 3}, {1, 2, 3}}},
    {"Exscan", {"sendbuf", "recvbuf"}, {{0, 2, 3}, {1, 2, 3}}},
    {"Reduce_scatter", {"sendbuf", "recvbuf"}, {{0, -1, 3}, {1, -1, 3}}},
    {"Reduce_scatter_block", {"sendbuf", "recvbuf"}, {{0, 2, 3, 0, 5, true}, {1, 2, 3}}},
    {"Reduce_local", {"inbuf", "inoutbuf"}, {{0, 2, 3}, {1, 2, 3}}},
    {"Put", {"origin_addr"}, {{0, 1, 2}}},
    {"Rput", {"origin_addr"}, {{0, 1, 2}}},
    {"Get", {"origin_addr"}, {{0, 1, 2}}},
    {"Rget", {"origin_addr"}, {{0, 1, 2}}},
    {"Accumulate", {"origin_addr"}, {{0, 1, 2}}},
    {"Raccumulate", {"origin_addr"}, {{0, 1, 2}}},
    {"Get_accumulate", {"origin_addr", "result_addr"}, {{0, 1, 2}, {3, 4, 5}}},
    {"Fetch_and_op", {"origin_addr", "result_addr"}, {{0, -1, 2}, {1, -1, 2}}},
    {"Compare_and_swap",
     {"origin_addr", "compare_addr", "result_addr"},
     {{0, -1, 3}, {1, -1, 3}, {2, -1, 3}}},
    {"Pack", {"inbuf"}, {{0, 1, 2}}},
    {"Unpack", {"outbuf"}, {{3, 4, 5}}},
    {"File_read", {"buf"}, {{1, 2, 3}}},
    {"File_write", {"buf"}, {{1, 2, 3}}},
    {"File_read_at", {"buf"}, {{2, 3, 4}}},
    {"File_write_at", {"buf"}, {{2, 3, 4}}},
};

void drop_suffix(std::string &name, const char *suffix) {
    const size_t length = strlen(suffix);
    if (name.size() > length && name.compare(name.size() - length, length, suffix) == 0)
        name.resize(name.size() - length);
}

// Returns the function of this name, or nullptr: PMPI_Isend_c is a form of Send, MPI_Bcast_init one
// of Bcast, MPI_File_read_at_all one of File_read_at.
const Function *find_function(const char *full_name) {
    if (*full_name == 'P')
        ++full_name;
    if (strncmp(full_name, "MPI_", 4) != 0)
        return nullptr;
    std::string name = full_name + 4;
    drop_suffix(name, "_c");
    drop_suffix(name, "_init");
    if (name.compare(0, 5, "File_") == 0)
        drop_suffix(name, "_all");
    if (name.size() > 1 && name[0] == 'I' && name[1] >= 'a') {
        name.erase(0, 1);
        name[0] = static_cast<char>(TOUPPER(name[0]));
    }
    for (const Function &function : functions)
        if (name == function.name)
            return &function;
    return nullptr;
}

bool has_name(tree type) {
    return TYPE_NAME(type) &&
           (TREE_CODE(TYPE_NAME(type)) == IDENTIFIER_NODE || DECL_NAME(TYPE_NAME(type)));
}

std::string name_of(tree type) {
    if (POINTER_TYPE_P(type))
        return "a pointer";
    if (!has_name(type))
        return RECORD_OR_UNION_TYPE_P(type) ? "a struct" : "another type";
    const tree name = TYPE_NAME(type);
    std::string text =
        IDENTIFIER_POINTER(TREE_CODE(name) == IDENTIFIER_NODE ? name : DECL_NAME(name));
    return TREE_CODE(type) == RECORD_TYPE && TREE_CODE(name) == IDENTIFIER_NODE ? "struct " + text
                                                                                : text;
}

// Returns the kind of a scalar; 0: it may hold anything, as characters do.
char kind_of(tree type) {
    switch (TREE_CODE(type)) {
    case INTEGER_TYPE:
        return TYPE_PRECISION(type) <= 8 ? 0 : TYPE_UNSIGNED(type) ? 'u' : 'i';
    case ENUMERAL_TYPE:
        return 'e';
    case BOOLEAN_TYPE:
        return 'b';
    case REAL_TYPE:
        return 'f';
    case COMPLEX_TYPE:
        return 'z';
    case POINTER_TYPE:
        return 'p';
    default:
        return 0;
    }
}

long size_of(tree type) {
    const tree size = TYPE_SIZE_UNIT(type);
    return size && tree_fits_shwi_p(size) ? static_cast<long>(tree_to_shwi(size)) : 0;
}

// Appends the elements of an object of this type at `displacement`. Arrays of anything but scalars
// are unrolled only if they are short.
void append_elements(std::string &text, tree type, long displacement, bool is_in_struct) {
    constexpr size_t text_bytes_max = 4000;
    constexpr long unrolled_max = 16;
    long count = 1;
    while (TREE_CODE(type) == ARRAY_TYPE) {
        const long size = size_of(type), one = size_of(TREE_TYPE(type));
        if (size == 0 || one == 0)
            return;
        count *= size / one;
        type = TREE_TYPE(type);
    }
    if (text.size() > text_bytes_max)
        return;
    if (TREE_CODE(type) == RECORD_TYPE) {
        for (long i = 0; i < count && i < unrolled_max; ++i)
            for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field))
                if (TREE_CODE(field) == FIELD_DECL && !DECL_BIT_FIELD(field))
                    append_elements(text, TREE_TYPE(field),
                                    displacement + i * size_of(type) +
                                        static_cast<long>(int_byte_position(field)),
                                    true);
        return;
    }
    char kind = kind_of(type);
    if (!kind && is_in_struct && count == 1 && TREE_CODE(type) == INTEGER_TYPE)
        kind = 'c'; // an array of characters may hold anything
    if (!kind)
        return;
    char element[80];
    snprintf(element, sizeof element, " %ld%c%ld", displacement, kind, size_of(type));
    text += element;
    if (count > 1)
        text += "*" + std::to_string(count);
}

tree without_conversions(tree expression) {
    while (CONVERT_EXPR_P(expression) || TREE_CODE(expression) == NON_LVALUE_EXPR)
        expression = TREE_OPERAND(expression, 0);
    return expression;
}

// Returns whether the address is that of a member: a derived datatype may describe what is around
// it.
bool is_in_struct(tree address) {
    if (TREE_CODE(address) != ADDR_EXPR)
        return false;
    tree object = TREE_OPERAND(address, 0);
    while (handled_component_p(object)) {
        if (TREE_CODE(object) == COMPONENT_REF)
            return true;
        object = TREE_OPERAND(object, 0);
    }
    return false;
}

// Returns the type of the objects to which a buffer points; NULL_TREE if the program does not say.
tree type_of_target(tree address) {
    tree type = TREE_CODE(address) == ADDR_EXPR      ? TREE_TYPE(TREE_OPERAND(address, 0))
                : POINTER_TYPE_P(TREE_TYPE(address)) ? TREE_TYPE(TREE_TYPE(address))
                                                     : NULL_TREE;
    while (type && TREE_CODE(type) == ARRAY_TYPE)
        type = TREE_TYPE(type);
    return type && COMPLETE_TYPE_P(type) && size_of(type) > 0 ? type : NULL_TREE;
}

// Returns the text for a buffer.
std::string describe(const char *function, const char *argument, tree address, const Place &place) {
    std::string text = place.is_for_each_rank ? "*" : "";
    text += std::string(function) + " " + argument + "|";
    const tree type = type_of_target(address);
    if (!type)
        return text + "?|1";
    std::string elements;
    append_elements(elements, type, 0, false);
    return text + name_of(type) + "|" +
           (is_in_struct(address)            ? "m"
            : TREE_CODE(type) == RECORD_TYPE ? "s"
                                             : "") +
           std::to_string(size_of(type)) + elements;
}

tree checking_function() {
    static tree function =
        build_fn_decl("thrum_check_typed",
                      build_function_type_list(ptr_type_node, const_ptr_type_node, size_type_node,
                                               long_integer_type_node, ptr_type_node, ptr_type_node,
                                               integer_type_node, const_ptr_type_node, NULL_TREE));
    return function;
}

// Returns argument `index` of the call as a `type`, evaluated once.
tree share(tree call, int index, tree type) {
    tree &argument = CALL_EXPR_ARG(call, index);
    argument = save_expr(argument);
    return fold_convert(type, argument);
}

// Wraps the buffer of a call.
void wrap(tree call, const char *name, const char *argument, const Place &place) {
    tree &buffer = CALL_EXPR_ARG(call, place.buffer);
    const tree address = without_conversions(buffer);
    const std::string text = describe(name, argument, address, place);
    const tree literal = build_string_literal(static_cast<int>(text.size() + 1), text.c_str());
    buffer = save_expr(buffer);
    const tree size = build_call_expr(builtin_decl_explicit(BUILT_IN_OBJECT_SIZE), 2,
                                      fold_convert(const_ptr_type_node, buffer), integer_zero_node);
    const tree count = place.count >= 0 ? share(call, place.count, long_integer_type_node)
                                        : build_minus_one_cst(long_integer_type_node);
    const tree type = share(call, place.type, ptr_type_node);
    const tree comm = place.comm ? share(call, place.comm, ptr_type_node) : null_pointer_node;
    const tree root = place.root ? share(call, place.root, integer_type_node)
                                 : build_minus_one_cst(integer_type_node);
    const tree checked = build_call_expr_loc(
        EXPR_LOCATION(call), checking_function(), 7, fold_convert(const_ptr_type_node, buffer),
        size, count, type, comm, root, fold_convert(const_ptr_type_node, literal));
    buffer = fold_convert(TREE_TYPE(buffer), checked);
}

// Wraps the argument of free().
void wrap_freed(tree call) {
    static tree function = build_fn_decl(
        "thrum_check_freed", build_function_type_list(ptr_type_node, ptr_type_node, NULL_TREE));
    tree &memory = CALL_EXPR_ARG(call, 0);
    memory = build_call_expr_loc(EXPR_LOCATION(call), function, 1, memory);
}

tree visit(tree *expression, int *, void *) {
    if (TREE_CODE(*expression) != CALL_EXPR)
        return NULL_TREE;
    const tree callee = get_callee_fndecl(*expression);
    if (!callee || !DECL_NAME(callee))
        return NULL_TREE;
    if (fndecl_built_in_p(callee, BUILT_IN_FREE) && call_expr_nargs(*expression) == 1) {
        wrap_freed(*expression);
        return NULL_TREE;
    }
    const char *name = IDENTIFIER_POINTER(DECL_NAME(callee));
    const Function *function = find_function(name);
    if (!function)
        return NULL_TREE;
    for (int i = 0; i < 3 && function->arguments[i]; ++i)
        if (call_expr_nargs(*expression) >
            std::max(function->places[i].type, function->places[i].buffer))
            wrap(*expression, name, function->arguments[i], function->places[i]);
    return NULL_TREE;
}

void visit_function(void *declaration, void *) {
    const tree function = static_cast<tree>(declaration);
    walk_tree_without_duplicates(&DECL_SAVED_TREE(function), visit, nullptr);
}

} // namespace
} // namespace thrum

// Called by GCC. A plugin works only with the GCC that it was built for: another one goes without.
int plugin_init(plugin_name_args *info, plugin_gcc_version *version) {
    if (plugin_default_version_check(version, &gcc_version))
        register_callback(info->base_name, PLUGIN_PRE_GENERICIZE, thrum::visit_function, nullptr);
    return 0;
}
