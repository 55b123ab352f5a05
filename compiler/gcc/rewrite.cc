// Right after expand, a reference to a private variable is a SYMBOL_REF somewhere in an
// instruction:
//
//     (mem (symbol_ref x))                  load or store         -> the same through %gs
//     (mem (plus (reg) (symbol_ref x)))     x[i]                  -> the symbol becomes a register
//     (symbol_ref x)                        address               -> a register
//     (mem (const (unspec [x] GOTPCREL)))   address of a preemptible x -> its slot, through %gs
//
// The register is set before the instruction: x plus the rank's distance, or the slot's contents.
// Later passes optimise the new code: the loads are constant, so they are hoisted and merged.
//
// Members of structures are reached through a register that expand has loaded with x. GCC's
// propagation would put x back into the address, but does not know that x plus the distance is x
// through %gs. KnownAddresses does that first.
#include "rewrite.h"

#include "variables.h"

#include <map>
#include <string>

namespace thrum {
namespace {

constexpr addr_space_t gs_space = ADDR_SPACE_SEG_GS;
constexpr const char *distance_name = "__thrum_rank_distance";
constexpr const char *slot_prefix = "__thrum_slot.";

// Local: the variable's name means another one in other units, so the slot is not shared with them.
// Weak: the variable may be undefined, and its address 0.
enum class SlotKind { Global, Local, Weak };

std::map<std::string, SlotKind> slots; // by the name of the variable
bool distance_is_used = false;         // some code needs __thrum_rank_distance

// Returns a hidden symbol of this module, defined by write_slots().
rtx hidden_symbol(const std::string &name) {
    static std::map<std::string, tree> declarations;
    tree &d = declarations[name];
    if (!d) {
        d = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name.c_str()),
                       long_integer_type_node);
        TREE_PUBLIC(d) = DECL_EXTERNAL(d) = TREE_USED(d) = DECL_ARTIFICIAL(d) = 1;
        DECL_VISIBILITY(d) = VISIBILITY_HIDDEN;
        DECL_VISIBILITY_SPECIFIED(d) = 1;
        SET_DECL_ASSEMBLER_NAME(d, get_identifier(name.c_str()));
        SYMBOL_REF_FLAGS(XEXP(DECL_RTL(d), 0)) |= SYMBOL_FLAG_LOCAL;
    }
    return XEXP(DECL_RTL(d), 0);
}

// Returns a read of the rank's own word at the symbol. It may be moved and repeated, because the
// word never changes while the rank runs.
rtx constant_through_gs(rtx symbol) {
    rtx memory = gen_const_mem(Pmode, symbol);
    set_mem_addr_space(memory, gs_space);
    MEM_NOTRAP_P(memory) = 1;
    return memory;
}

// Returns the assembler's name of a symbol; "*" marks one that gets no prefix, and weakref is an
// alias.
std::string name_of(rtx symbol) {
    tree identifier = maybe_get_identifier(XSTR(symbol, 0));
    while (identifier && IDENTIFIER_TRANSPARENT_ALIAS(identifier))
        identifier = TREE_CHAIN(identifier);
    const char *name = identifier ? IDENTIFIER_POINTER(identifier) : XSTR(symbol, 0);
    return *name == '*' ? name + 1 : name;
}

// Returns a read of the slot that holds the variable's address for this rank. Notes the slot, so
// that write_slots() defines it.
rtx slot_of(rtx symbol) {
    tree d = SYMBOL_REF_DECL(symbol);
    std::string name = name_of(symbol);
    SlotKind kind = SlotKind::Global;
    if (!d || !(TREE_PUBLIC(d) || DECL_EXTERNAL(d)))
        kind = SlotKind::Local;
    else if (DECL_WEAK(d) && DECL_EXTERNAL(d))
        kind = SlotKind::Weak;
    slots.emplace(name, kind);
    return constant_through_gs(
        hidden_symbol((kind == SlotKind::Local ? ".L" : "") + (slot_prefix + name)));
}

// Returns whether the expression is a symbol that must be rewritten.
bool is_private_symbol(const_rtx x) {
    return SYMBOL_REF_P(x) && reach_of(const_cast<rtx>(x)) != Reach::Shared;
}

// Returns the first private symbol of an expression, or nullptr.
rtx find_private_symbol(rtx x) {
    subrtx_var_iterator::array_type array;
    FOR_EACH_SUBRTX_VAR(iterator, array, x, ALL)
    if (is_private_symbol(*iterator))
        return *iterator;
    return NULL_RTX;
}

// Returns whether an expression contains a relocation such as @GOTPCREL, which GCC keeps as an
// UNSPEC.
bool has_unspec(const_rtx x) {
    subrtx_iterator::array_type array;
    FOR_EACH_SUBRTX(iterator, array, x, ALL)
    if (GET_CODE(*iterator) == UNSPEC)
        return true;
    return false;
}

// Returns whether it is a symbol, or symbol + constant.
bool is_constant_address(rtx x) {
    if (GET_CODE(x) == CONST)
        x = XEXP(x, 0);
    if (GET_CODE(x) == PLUS && CONST_INT_P(XEXP(x, 1)))
        x = XEXP(x, 0);
    return SYMBOL_REF_P(x);
}

// The registers of a function that only ever hold the address of a variable with direct reach, plus
// a constant. An access through one of them can become an access through gs.
class KnownAddresses {
public:
    void find_all();
    // Returns the address if `address` is such a register, perhaps plus a constant; otherwise
    // nullptr.
    rtx find(rtx address) const;
    // Returns whether memory is accessed through one of them.
    bool are_used_in(const_rtx pattern) const;

private:
    // What is known of one pseudo register.
    struct Use {
        int definitions = 0;
        rtx value = NULL_RTX; // value of the only definition
    };

    static void note_store(rtx destination, const_rtx set, void *uses);
    const Use *find_register(const_rtx address) const;

    std::map<unsigned, Use> registers_;
};

// Returns whether it is an expression plus a constant.
bool is_plus_constant(const_rtx x) {
    return GET_CODE(x) == PLUS && CONST_INT_P(XEXP(x, 1));
}

// Counts the definitions of each pseudo register. A register with a second definition does not
// always hold the address that the first one gave.
void KnownAddresses::note_store(rtx destination, const_rtx set, void *uses) {
    if (SUBREG_P(destination))
        destination = SUBREG_REG(destination);
    if (!REG_P(destination) || HARD_REGISTER_P(destination))
        return;
    Use &use = (*static_cast<std::map<unsigned, Use> *>(uses))[REGNO(destination)];
    ++use.definitions;
    if (GET_CODE(set) != SET || SET_DEST(set) != destination || !is_constant_address(SET_SRC(set)))
        return;
    rtx symbol = find_private_symbol(SET_SRC(set));
    if (symbol && reach_of(symbol) == Reach::Direct)
        use.value = SET_SRC(set);
}

// Scans the function, and keeps registers whose only definition is such an address.
void KnownAddresses::find_all() {
    for (rtx_insn *i = get_insns(); i; i = NEXT_INSN(i))
        if (INSN_P(i) && !DEBUG_INSN_P(i))
            note_stores(i, note_store, &registers_);
    for (auto at = registers_.begin(); at != registers_.end();)
        at = at->second.definitions == 1 && at->second.value ? std::next(at) : registers_.erase(at);
}

// Returns what is known of the register in an address, or nullptr.
const KnownAddresses::Use *KnownAddresses::find_register(const_rtx address) const {
    if (is_plus_constant(address))
        address = XEXP(address, 0);
    if (!REG_P(address))
        return nullptr;
    auto found = registers_.find(REGNO(address));
    return found == registers_.end() ? nullptr : &found->second;
}

rtx KnownAddresses::find(rtx address) const {
    const Use *use = find_register(address);
    if (!use)
        return NULL_RTX;
    return plus_constant(Pmode, use->value,
                         is_plus_constant(address) ? INTVAL(XEXP(address, 1)) : 0);
}

bool KnownAddresses::are_used_in(const_rtx pattern) const {
    if (registers_.empty())
        return false;
    subrtx_iterator::array_type array;
    FOR_EACH_SUBRTX(iterator, array, pattern, ALL)
    if (MEM_P(*iterator) && find_register(XEXP(*iterator, 0)))
        return true;
    return false;
}

// Rewrites one instruction. Instructions that compute addresses are inserted before it.
class Rewriter {
public:
    Rewriter(rtx_insn *instruction, const KnownAddresses &known)
        : instruction_(instruction), known_(known) {}

    void run();

private:
    void put_known_addresses(rtx *place) const;
    bool accept(rtx pattern);
    void rewrite(rtx *place);
    void rewrite_memory(rtx *place);
    rtx in_registers(rtx constant);
    rtx address_register(rtx symbol);
    void emit_before(rtx_insn *sequence);
    void move_by_hand(rtx pattern);

    rtx_insn *instruction_;
    const KnownAddresses &known_;
    std::map<rtx, rtx> registers_; // symbol -> register with its address
};

// Inserts the sequence before the instruction.
void Rewriter::emit_before(rtx_insn *sequence) {
    // The patterns share symbols and memory references with others, which is not allowed at this
    // stage.
    for (rtx_insn *i = sequence; i; i = NEXT_INSN(i))
        if (NONJUMP_INSN_P(i))
            PATTERN(i) = copy_rtx(PATTERN(i));
    emit_insn_before(sequence, instruction_);
}

// Returns a register with the address of the rank's copy. One instruction that names a symbol
// several times computes the address only once.
rtx Rewriter::address_register(rtx symbol) {
    rtx &address = registers_[symbol];
    if (address)
        return address;
    start_sequence();
    address = gen_reg_rtx(Pmode);
    if (reach_of(symbol) == Reach::Slot) {
        emit_move_insn(address, slot_of(symbol));
    } else {
        distance_is_used = true;
        rtx distance = gen_reg_rtx(Pmode), in_template = gen_reg_rtx(Pmode);
        emit_move_insn(distance, constant_through_gs(hidden_symbol(distance_name)));
        emit_move_insn(in_template, symbol);
        // Uses a lea, because the flags may be live here.
        emit_insn(gen_rtx_SET(address, gen_rtx_PLUS(Pmode, in_template, distance)));
    }
    rtx_insn *sequence = get_insns();
    end_sequence();
    emit_before(sequence);
    return address;
}

// Turns symbol and (const (plus symbol n)) into an expression of registers.
rtx Rewriter::in_registers(rtx x) {
    if (SYMBOL_REF_P(x))
        return is_private_symbol(x) ? address_register(x) : x;
    if (GET_CODE(x) != CONST || !find_private_symbol(x))
        return x;
    rtx expression = XEXP(x, 0);
    if (GET_CODE(expression) != PLUS)
        return in_registers(expression);
    rtx base = in_registers(XEXP(expression, 0));
    start_sequence();
    rtx sum = gen_reg_rtx(Pmode);
    emit_insn(gen_rtx_SET(sum, gen_rtx_PLUS(Pmode, base, XEXP(expression, 1))));
    rtx_insn *sequence = get_insns();
    end_sequence();
    emit_before(sequence);
    return sum;
}

// Makes a memory operand refer to the rank's copy. A constant address needs no register: the access
// goes through gs, which holds the distance from the template.
void Rewriter::rewrite_memory(rtx *place) {
    rtx memory = *place;
    rtx address = XEXP(memory, 0);
    rtx symbol = find_private_symbol(address);
    if (!symbol) {
        rewrite(&XEXP(memory, 0));
        return;
    }
    if (has_unspec(address)) { // x@GOTPCREL
        *place = slot_of(symbol);
        return;
    }
    memory = shallow_copy_rtx(memory);
    if (!is_constant_address(address)) {
        XEXP(memory, 0) = copy_rtx(address);
        rewrite(&XEXP(memory, 0));
    } else if (reach_of(symbol) == Reach::Direct) {
        set_mem_addr_space(memory, gs_space);
    } else {
        XEXP(memory, 0) = in_registers(address);
    }
    *place = memory;
}

// Rewrites an expression and everything in it.
void Rewriter::rewrite(rtx *place) {
    rtx x = *place;
    if (!x)
        return;
    if (MEM_P(x)) {
        rewrite_memory(place);
        return;
    }
    if (SYMBOL_REF_P(x) || GET_CODE(x) == CONST) {
        *place = in_registers(x);
        return;
    }
    const char *format = GET_RTX_FORMAT(GET_CODE(x));
    for (int i = 0; i < GET_RTX_LENGTH(GET_CODE(x)); ++i) {
        if (format[i] == 'e')
            rewrite(&XEXP(x, i));
        else if (format[i] == 'E')
            for (int j = 0; j < XVECLEN(x, i); ++j)
                rewrite(&XVECEXP(x, i, j));
    }
}

// Splits the instruction into two, because the machine has no such instruction, for example one
// that stores an expression. Ends the compilation if it is not a plain move.
void Rewriter::move_by_hand(rtx pattern) {
    rtx set = single_set(instruction_);
    if (!set || GET_CODE(pattern) != SET)
        fatal_error(INSN_LOCATION(instruction_),
                    "%<--privatize%>: this statement uses a private variable in a way that the "
                    "pass does not handle; please report it");
    start_sequence();
    emit_move_insn(SET_DEST(set), force_reg(GET_MODE(SET_DEST(set)), SET_SRC(set)));
    rtx_insn *sequence = get_insns();
    end_sequence();
    emit_insn_before(sequence, instruction_);
    delete_insn(instruction_);
}

// Replaces registers that hold a known address by that address. The access can then go through gs
// and needs no register.
void Rewriter::put_known_addresses(rtx *place) const {
    rtx x = *place;
    if (!x)
        return;
    if (MEM_P(x)) {
        rtx address = known_.find(XEXP(x, 0));
        if (!address || !ADDR_SPACE_GENERIC_P(MEM_ADDR_SPACE(x)))
            return;
        *place = shallow_copy_rtx(x);
        XEXP(*place, 0) = address;
        return;
    }
    const char *format = GET_RTX_FORMAT(GET_CODE(x));
    for (int i = 0; i < GET_RTX_LENGTH(GET_CODE(x)); ++i) {
        if (format[i] == 'e')
            put_known_addresses(&XEXP(x, i));
        else if (format[i] == 'E')
            for (int j = 0; j < XVECLEN(x, i); ++j)
                put_known_addresses(&XVECEXP(x, i, j));
    }
}

// Makes this the instruction's pattern, rewritten. Returns false if the machine has no such
// instruction.
bool Rewriter::accept(rtx pattern) {
    rewrite(&pattern);
    PATTERN(instruction_) = pattern;
    INSN_CODE(instruction_) = -1;
    return asm_noperands(pattern) >= 0 || JUMP_P(instruction_) || recog_memoized(instruction_) >= 0;
}

// Tries the pattern with known addresses first. If the machine has no such instruction, rewrites
// the original one.
void Rewriter::run() {
    // A note about a register's known value would bring the template's address back.
    for (rtx *note = &REG_NOTES(instruction_); *note;) {
        bool equality = REG_NOTE_KIND(*note) == REG_EQUAL || REG_NOTE_KIND(*note) == REG_EQUIV;
        if (equality && find_private_symbol(XEXP(*note, 0)))
            *note = XEXP(*note, 1);
        else
            note = &XEXP(*note, 1);
    }
    // Does not use copy_rtx(), because the outputs of an asm share the vector of its inputs.
    rtx before = PATTERN(instruction_);
    if (NONJUMP_INSN_P(instruction_) && asm_noperands(before) < 0 && single_set(instruction_) &&
        known_.are_used_in(before)) {
        rtx pattern = copy_insn(before);
        put_known_addresses(&pattern);
        if (accept(pattern))
            return;
        PATTERN(instruction_) = before;
        INSN_CODE(instruction_) = -1;
    }
    if (!find_private_symbol(before))
        return;
    rtx pattern = copy_insn(before);
    if (!accept(pattern))
        move_by_hand(PATTERN(instruction_));
}

const pass_data rewrite_pass_data = {RTL_PASS, "privatize", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

// The pass: rewrites every instruction of a function. Debug instructions are left alone: they
// describe the template, which is rank 0's.
class RewritePass : public rtl_opt_pass {
public:
    explicit RewritePass(gcc::context *context) : rtl_opt_pass(rewrite_pass_data, context) {}

    opt_pass *clone() override { return this; }

    unsigned execute(function *) override {
        init_recog(); // volatile memory is an operand like any other
        KnownAddresses known;
        if (optimize)
            known.find_all();
        rtx_insn *next;
        for (rtx_insn *i = get_insns(); i; i = next) {
            next = NEXT_INSN(i);
            if (INSN_P(i) && !DEBUG_INSN_P(i))
                Rewriter(i, known).run();
        }
        init_recog_no_volatile();
        return 0;
    }
};

// Writes a weak, hidden word in a group of its own. The linker keeps one of all objects that
// contain it.
void write_word(FILE *file, const std::string &name, const char *value) {
    const char *n = name.c_str();
    fprintf(file,
            "\t.section \".data.%s\",\"awG\",@progbits,\"%s\",comdat\n"
            "\t.weak \"%s\"\n\t.hidden \"%s\"\n\t.balign 8\n"
            "\t.type \"%s\",@object\n\t.size \"%s\",8\n\"%s\":\n\t.quad %s\n",
            n, n, n, n, n, n, n, value);
}

} // namespace

rtl_opt_pass *new_rewrite_pass(gcc::context *context) {
    return new RewritePass(context);
}

void write_slots(FILE *file) {
    for (const auto &[name, kind] : slots) {
        std::string quoted = '"' + name + '"';
        if (kind == SlotKind::Weak)
            fprintf(file, "\t.weak %s\n", quoted.c_str());
        if (kind == SlotKind::Local)
            fprintf(file,
                    "\t.section .data.thrum_slots,\"aw\",@progbits\n\t.balign 8\n"
                    "\".L%s%s\":\n\t.quad %s\n",
                    slot_prefix, name.c_str(), quoted.c_str());
        else
            write_word(file, slot_prefix + name, quoted.c_str());
    }
    if (distance_is_used)
        write_word(file, distance_name, "0");
}

} // namespace thrum
