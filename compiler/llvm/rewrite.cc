// The rewriting of the LLVM pass (rewrite.h). A variable with direct reach that is the address of a
// load or store becomes an address in the gs segment. Everywhere else the reference becomes a
// computed pointer: the template's address plus the rank's distance, or the contents of the
// variable's slot. Constant expressions that contain such references become instructions first.
#include "rewrite.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace thrum {
namespace {

constexpr unsigned gs_address_space = 256; // LLVM's address space for accesses with a %gs prefix

// Returns the same address, accessed through %gs. It is made from an integer, so that the optimiser
// concludes nothing about a rank's copy from the template's variable.
Constant *through_gs(Constant *address) {
    LLVMContext &context = address->getContext();
    return ConstantExpr::getIntToPtr(ConstantExpr::getPtrToInt(address, Type::getInt64Ty(context)),
                                     PointerType::get(context, gs_address_space));
}

// Returns whether the access is an atomic wider than 8 bytes: that becomes a call of a library,
// which needs an ordinary pointer.
bool is_wide_atomic(const Instruction &user, const DataLayout &layout) {
    Type *type = isa<StoreInst>(user) ? user.getOperand(0)->getType() : user.getType();
    if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&user))
        type = exchange->getNewValOperand()->getType();
    return user.isAtomic() && layout.getTypeStoreSize(type) > 8;
}

// Returns whether the use is the address of a memory access.
bool is_pointer_operand(const Use &use) {
    const User *user = use.getUser();
    unsigned index = use.getOperandNo();
    return (isa<LoadInst>(user) && index == LoadInst::getPointerOperandIndex()) ||
           (isa<StoreInst>(user) && index == StoreInst::getPointerOperandIndex()) ||
           (isa<AtomicRMWInst>(user) && index == AtomicRMWInst::getPointerOperandIndex()) ||
           (isa<AtomicCmpXchgInst>(user) && index == AtomicCmpXchgInst::getPointerOperandIndex());
}

// Returns whether it is an operand of inline assembly that must be known when it is assembled ("i",
// "s"): the text then names the variable itself, which is the template's.
bool is_immediate_of_asm(const Use &use) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    if (!call || !call->isInlineAsm() || !call->isArgOperand(&use))
        return false;
    unsigned wanted = call->getArgOperandNo(&use), argument = 0;
    for (const auto &constraint : cast<InlineAsm>(call->getCalledOperand())->ParseConstraints()) {
        if (!constraint.hasArg())
            continue;
        if (argument++ == wanted)
            return all_of(constraint.Codes, [](const std::string &code) {
                return code == "i" || code == "s" || code == "n" || code == "e";
            });
    }
    return false;
}

// Returns whether it is only an annotation of memory for the optimiser, without any computation.
bool is_only_a_mark(const Instruction &user) {
    const auto *intrinsic = dyn_cast<IntrinsicInst>(&user);
    if (!intrinsic)
        return false;
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
        return true;
    default:
        return false;
    }
}

} // namespace

// Rewrites every use in an instruction. Constant expressions become instructions first, because a
// constant cannot contain an address that is only known at run time.
void Rewriter::run() {
    SmallVector<Constant *> constants(variables_.reached());
    convertUsersOfConstantsToInstructions(constants);
    for (GlobalValue *value : variables_.reached())
        rewrite_references_to(*value);
}

// Collects the uses first, because rewriting changes the list of uses.
void Rewriter::rewrite_references_to(GlobalValue &value) {
    SmallVector<Use *> uses;
    for (Use &use : value.uses())
        if (isa<Instruction>(use.getUser()) && !isa<LandingPadInst>(use.getUser()))
            uses.push_back(&use);
    DenseMap<BasicBlock *, Value *> incoming; // a phi has one value for each block
    for (Use *use : uses) {
        auto &user = *cast<Instruction>(use->getUser());
        if (is_only_a_mark(user) || is_immediate_of_asm(*use))
            continue;
        if (variables_.reach_of(value) == Reach::Direct && becomes_memory_operand(*use)) {
            make_memory_operand(*use, through_gs(&value));
        } else if (auto *phi = dyn_cast<PHINode>(&user)) {
            BasicBlock *block = phi->getIncomingBlock(*use);
            Value *&address = incoming[block];
            if (!address)
                address = address_for(*block->getTerminator(), value);
            use->set(address);
        } else {
            use->set(address_for(user, value));
        }
    }
}

// Returns whether the reference is the address of a load or store, also through constant offsets.
bool Rewriter::becomes_memory_operand(const Use &use) const {
    const auto &user = *cast<Instruction>(use.getUser());
    if (is_pointer_operand(use))
        return !is_wide_atomic(user, module_.getDataLayout());
    const auto *offset = dyn_cast<GetElementPtrInst>(&user);
    return offset && use.getOperandNo() == GetElementPtrInst::getPointerOperandIndex() &&
           offset->hasAllConstantIndices() && !offset->getType()->isVectorTy() &&
           all_of(offset->uses(), [&](const Use &inner) {
               return isa<Instruction>(inner.getUser()) && becomes_memory_operand(inner);
           });
}

// Replaces the operand by an address in the gs segment. A constant offset becomes part of the
// address.
void Rewriter::make_memory_operand(Use &use, Constant *pointer) {
    auto *offset = dyn_cast<GetElementPtrInst>(use.getUser());
    if (!offset) {
        use.set(pointer);
        return;
    }
    SmallVector<Constant *> indices;
    for (Value *index : offset->indices())
        indices.push_back(cast<Constant>(index));
    Constant *moved =
        ConstantExpr::getGetElementPtr(offset->getSourceElementType(), pointer, indices);
    for (Use &inner : make_early_inc_range(offset->uses()))
        make_memory_operand(inner, moved);
    offset->eraseFromParent();
}

// Returns an ordinary pointer to the rank's copy, made before `user`.
Value *Rewriter::address_for(Instruction &user, GlobalValue &value) {
    IRBuilder<> builder(place_of_address(user));
    builder.SetCurrentDebugLocation(user.getDebugLoc());
    if (variables_.reach_of(value) == Reach::Slot)
        return load_rank_word(builder, object_.slot_of(value));
    Value *distance = load_rank_word(builder, object_.distance());
    Constant *in_template = ConstantExpr::getPtrToInt(&value, builder.getInt64Ty());
    return builder.CreateIntToPtr(builder.CreateAdd(in_template, distance), value.getType());
}

// Loads a word that does not change while a rank runs, and can always be read.
Value *Rewriter::load_rank_word(IRBuilder<> &builder, GlobalVariable *word) {
    LoadInst *load = builder.CreateAlignedLoad(word->getValueType(), through_gs(word), Align(8));
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
    return load;
}

// Returns the place before the outermost loop around the user: addresses do not change while a rank
// runs.
Instruction *Rewriter::place_of_address(Instruction &user) {
    if (!loops_of_)
        return &user;
    BasicBlock *block = user.getParent();
    Instruction *place = &user;
    LoopInfo &loops = loops_of_(*user.getFunction());
    for (Loop *loop = loops.getLoopFor(block); loop; loop = loop->getParentLoop())
        if (BasicBlock *before = loop->getLoopPreheader())
            place = before->getTerminator();
    return place;
}

} // namespace thrum
