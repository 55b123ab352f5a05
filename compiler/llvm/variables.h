// Decides which variables of a module are private to a rank, and how code may access them ("Which
// variables are private" and "How a private variable is accessed" in ../README.md).
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

namespace thrum {

// How code accesses a variable: as usual, through gs, or by its slot.
enum class Reach { Shared, Direct, Slot };

// The decisions about one module. The constructor makes all of them.
class Variables {
public:
    explicit Variables(llvm::Module &module);

    // Returns everything that code must access in another way than usual: variables and aliases.
    llvm::ArrayRef<llvm::GlobalValue *> reached() const { return reached_.getArrayRef(); }

    Reach reach_of(const llvm::GlobalValue &value) const;

    // Removes "constant" from the private ones, so that they are placed in .data. Reports those
    // that the program has put where nothing can write.
    void make_writable();

private:
    // Returns whether rule 1 makes the variable private.
    bool is_private_by_itself(const llvm::GlobalVariable &variable) const;
    // Returns whether a constant may contain the address of private data (rule 2).
    bool holds_private_address(const llvm::Constant &value) const;
    void add_constants_with_private_addresses();

    llvm::Module &module_;
    llvm::SetVector<llvm::GlobalVariable *> private_;
    llvm::SetVector<llvm::GlobalValue *> reached_;
    llvm::DenseMap<const llvm::GlobalValue *, Reach> reach_;
};

} // namespace thrum
