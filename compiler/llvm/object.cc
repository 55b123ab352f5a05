// Makes the words and the note of an object (object.h).
#include "object.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/Endian.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace thrum {
namespace {

constexpr uint32_t contract_version = 1;
constexpr uint32_t object_note_type = 1;

// Appends a word of a note, in the byte order of x86-64; pad() fills up to the next word.
void append(std::string &bytes, uint32_t number) {
    char word[4];
    support::endian::write32le(word, number);
    bytes.append(word, sizeof word);
}

void pad(std::string &bytes) {
    bytes.resize(alignTo(bytes.size(), 4));
}

} // namespace

GlobalVariable *Object::distance() {
    if (!distance_)
        distance_ = add_word("__thrum_rank_distance",
                             ConstantInt::get(Type::getInt64Ty(module_.getContext()), 0));
    return distance_;
}

GlobalVariable *Object::slot_of(GlobalValue &value) {
    GlobalVariable *&slot = slots_[&value];
    if (!slot) {
        StringRef name = value.getName();
        // A leading \1 keeps the assembler's name from being decorated.
        name.consume_front("\1");
        slot = add_word("__thrum_slot." + name.str(), &value);
    }
    return slot;
}

// Makes one word for all objects that contain it: a weak, hidden definition in its own group.
GlobalVariable *Object::add_word(const std::string &name, Constant *initial_value) {
    auto *word = new GlobalVariable(module_, initial_value->getType(), false,
                                    GlobalValue::WeakAnyLinkage, initial_value, name);
    word->setVisibility(GlobalValue::HiddenVisibility);
    word->setDSOLocal(true);
    word->setComdat(module_.getOrInsertComdat(name));
    word->setSection(".data." + name);
    word->setAlignment(Align(8));
    return word;
}

// Builds the bytes of the ELF note by hand: header, name, and a description with version, compiler
// and source file.
void Object::add_note() {
    std::string description;
    append(description, contract_version);
    description += "clang " LLVM_VERSION_STRING;
    description += '\0';
    description += module_.getSourceFileName();
    description += '\0';
    std::string note;
    append(note, sizeof "Thrum");
    append(note, uint32_t(description.size()));
    append(note, object_note_type);
    note.append("Thrum", sizeof "Thrum");
    pad(note);
    note += description;
    pad(note);
    Constant *bytes = ConstantDataArray::getString(module_.getContext(), note, /*AddNull=*/false);
    auto *variable = new GlobalVariable(module_, bytes->getType(), true,
                                        GlobalValue::PrivateLinkage, bytes, "__thrum_note");
    variable->setSection(".note.thrum.privatized");
    variable->setAlignment(Align(4));
    appendToCompilerUsed(module_, {variable});
}

} // namespace thrum
