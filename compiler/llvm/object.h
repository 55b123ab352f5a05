// What the pass adds to each object: the distance, slots and the note ("What a pass adds to each
// object" in ../README.md).
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace thrum {

// Adds to one module. Each word is made once.
class Object {
public:
    explicit Object(llvm::Module &module) : module_(module) {}

    // Return the word for the rank's distance, and the slot of a variable. They are words of the
    // template; the run time fills in each rank's.
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
