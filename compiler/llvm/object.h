// What the pass adds to each object: the distance, slots and the note ("What a pass adds to each
// object" in ../README.md).
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace thrum {

class Object {
public:
    explicit Object(llvm::Module &module) : module_(module) {}

    // The address, in the template, of the words that the run time fills in for each rank.
    llvm::GlobalVariable *distance();
    llvm::GlobalVariable *slot_of(llvm::GlobalValue &value);

    // Records that the object is privatised, by which compiler, and from which unit.
    void add_note();

private:
    llvm::GlobalVariable *add_word(const std::string &name, llvm::Constant *initial_value);

    llvm::Module &module_;
    llvm::GlobalVariable *distance_ = nullptr;
    llvm::DenseMap<llvm::GlobalValue *, llvm::GlobalVariable *> slots_;
};

} // namespace thrum
