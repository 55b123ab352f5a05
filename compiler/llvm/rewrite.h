// Rewrites references to private variables in the code of a module (rewrite.cc).
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "object.h"
#include "variables.h"

#include <functional>

namespace thrum {

// Rewrites one module; run() is called once. The references must outlive it.
class Rewriter {
public:
    // Returns a function's loops, so that invariants are computed outside; empty for code that is
    // not optimised.
    using LoopsOf = std::function<llvm::LoopInfo &(llvm::Function &)>;

    Rewriter(llvm::Module &module, const Variables &variables, Object &object, LoopsOf loops_of)
        : module_(module), variables_(variables), object_(object), loops_of_(std::move(loops_of)) {}

    void run();

private:
    void rewrite_references_to(llvm::GlobalValue &value);
    bool becomes_memory_operand(const llvm::Use &use) const;
    void make_memory_operand(llvm::Use &use, llvm::Constant *pointer);
    llvm::Value *address_for(llvm::Instruction &user, llvm::GlobalValue &value);
    llvm::Value *load_rank_word(llvm::IRBuilder<> &builder, llvm::GlobalVariable *word);
    llvm::Instruction *place_of_address(llvm::Instruction &user);

    llvm::Module &module_;
    const Variables &variables_;
    Object &object_;
    LoopsOf loops_of_;
};

} // namespace thrum
