// The table of pending assemblies. A member that is not the last waits with its Member on its
// stack; the last one takes the assembly out of the table and builds for all without the lock. An
// assembly is found by comparing keys, which costs little, since few are pending at any time.
#include "comm/assembly.h"

#include "comm/group.h"
#include "comm/process.h"
#include "fiber/completion.h"

#include <list>
#include <vector>

namespace thrum {
namespace {

// A member that waits. It lives on that member's stack.
struct Member {
    void *argument;
    Completion built;
};

// The members of one key that have arrived so far.
struct Assembly {
    AssemblyKey key; // of the first to arrive; its group lives while that member waits
    std::vector<Member *> members; // by rank in the group; nullptr: not arrived
    int missing;                   // members that have not arrived
};

// The pending assemblies of this process.
struct Table {
    SpinLock lock; // guards the list and the assemblies in it
    std::list<Assembly> pending;
};

Table &table() {
    static auto *the_table = new Table; // never destroyed: ranks may outlive static objects
    return *the_table;
}

bool equal(const AssemblyKey &a, const AssemblyKey &b) {
    return a.purpose == b.purpose && a.context_id == b.context_id && a.tag == b.tag &&
           a.string_tag == b.string_tag && same_members(*a.group, *b.group);
}

// Enters `member`. Returns true, with the assembly in `complete`, if it was the last. The key of a
// pending assembly refers to the group of a waiting member, so it is alive.
bool enter(const AssemblyKey &key, int rank, Member &member, std::list<Assembly> &complete) {
    Table &t = table();
    LockGuard guard(t.lock);
    auto found = t.pending.begin();
    while (found != t.pending.end() && !equal(found->key, key))
        ++found;
    if (found == t.pending.end()) {
        auto size = static_cast<size_t>(key.group->size);
        found =
            t.pending.insert(found, Assembly{key, std::vector<Member *>(size), key.group->size});
    }
    Member *&place = found->members[static_cast<size_t>(rank)];
    CHECK(!place, "rank %d of a group assembles twice at the same time under one tag", rank);
    place = &member;
    if (--found->missing > 0)
        return false;
    complete.splice(complete.begin(), t.pending, found);
    return true;
}

} // namespace

// The last member builds for all, while the others are suspended. Their Members are on their
// stacks, so none is touched after its completion.
void assemble(const AssemblyKey &key, int rank, void *argument,
              void (*build)(void *const *arguments, const Group &group)) {
    Member self{argument, {}};
    std::list<Assembly> complete;
    if (!enter(key, rank, self, complete)) {
        Call &call = current_rank_thread().call;
        Blockage blockage;
        blockage.kind = Blockage::Kind::Collective;
        call.waits.store(call.waits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        // release [blockage-1]: what reports read of it.
        call.blockage.store(&blockage, std::memory_order_release);
        self.built.wait();
        call.blockage.store(nullptr, std::memory_order_relaxed);
        return;
    }
    std::vector<Member *> &members = complete.front().members;
    std::vector<void *> arguments;
    for (const Member *member : members)
        arguments.push_back(member->argument);
    build(arguments.data(), *key.group);
    for (Member *member : members)
        if (member != &self)
            member->built.complete();
}

} // namespace thrum
