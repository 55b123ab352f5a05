// Signatures: their sums, comparisons and descriptions (signature.h). Walks go through the blocks
// of a type map without recursion, as a type may be nested without limit.
#include "datatype/signature.h"

#include "datatype/contents.h"
#include "datatype/describe.h"
#include "datatype/elements.h"

#include <algorithm>
#include <vector>

namespace thrum {
void SignatureSum::flush() {
    if (!last_)
        return;
    const auto length = static_cast<uint64_t>(last_->basic_elements);
    for (int i = 0; i < 2; ++i)
        sequence_[i] = sequence_hash::join(
            sequence_[i], sequence_hash::repeat(last_->sequence[i], length, copies_),
            length * copies_);
    mixed_ = mixed_ || (word_ && word_ != last_->signature);
    word_ = last_->signature;
    wildcards_ |= last_->wildcards;
    if (!element_)
        element_ = last_->element;
    last_ = nullptr;
    copies_ = 0;
}

void SignatureSum::finish(Datatype &result) {
    flush();
    const auto standard = static_cast<int>(TypeRules::Standard);
    result.signature = mixed_ ? word_of_hash(sequence_[standard]) : word_;
    result.element = result.signature & mixed_signature ? nullptr : element_;
    result.wildcards = wildcards_;
    std::copy(sequence_, sequence_ + 2, result.sequence);
}

void copy_signature(const Datatype &from, Datatype &to) {
    to.signature = from.signature;
    to.element = from.element;
    to.wildcards = from.wildcards;
    std::copy(from.sequence, from.sequence + 2, to.sequence);
}

namespace {

// A run of equal basic elements.
struct TypeRun {
    const Datatype *type = nullptr;
    Count copies = 0;
};

// Goes through the runs of `copies` elements of a datatype, of which there must be one more for
// each call of next().
class Runs {
public:
    Runs(const Datatype &type, Count copies) { open_.push_back({&type, copies, 0}); }

    TypeRun next() {
        for (;;) {
            Open &top = open_.back();
            if (top.copies == 0) {
                open_.pop_back();
                continue;
            }
            const Datatype &type = *top.type;
            if (const Datatype *basic = basic_of(type)) {
                const TypeRun run{basic, type.basic_elements * top.copies};
                open_.pop_back();
                return run;
            }
            if (top.block == block_count(type)) {
                top.block = 0;
                --top.copies;
                continue;
            }
            const TypeBlock block = block_at(type, top.block++);
            if (block.copies > 0 && block.type->size_bytes > 0)
                open_.push_back({block.type, block.copies, 0});
        }
    }

private:
    // A datatype whose blocks are being visited.
    struct Open {
        const Datatype *type;
        Count copies; // left, including the current one
        Count block;  // the next one
    };

    // Returns the basic type of a datatype that has only one.
    static const Datatype *basic_of(const Datatype &type) {
        if (type.basic)
            return type.basic;
        return block_count(type) == 0 ? &type : nullptr;
    }

    std::vector<Open> open_;
};

// Goes through the runs of data, in which equal neighbours are joined.
class JoinedRuns {
public:
    explicit JoinedRuns(TypedBytes data)
        : runs_(*data.type, copies_of(*data.type, data.bytes)), bytes_(data.bytes) {}

    // Returns the next run; without a type behind the last one. A run may be split if it is joined
    // of very many.
    TypeRun next() {
        if (!ahead_.type)
            ahead_ = fetch();
        TypeRun run = ahead_;
        ahead_ = {};
        for (int joined = 0; run.type && joined < 1024; ++joined) {
            ahead_ = fetch();
            if (ahead_.type != run.type)
                break;
            run.copies += ahead_.copies;
            ahead_ = {};
        }
        return run;
    }

private:
    // Returns how many elements contain the data.
    static Count copies_of(const Datatype &type, size_t bytes) {
        const auto one = static_cast<size_t>(type.size_bytes);
        return one == 0 ? 0 : static_cast<Count>((bytes + one - 1) / one);
    }

    TypeRun fetch() {
        if (bytes_ == 0)
            return {};
        TypeRun run = runs_.next();
        const auto size = static_cast<size_t>(run.type->size_bytes);
        run.copies = static_cast<Count>(
            std::min(static_cast<size_t>(run.copies), (bytes_ + size - 1) / size));
        bytes_ -= std::min(bytes_, static_cast<size_t>(run.copies) * size);
        return run;
    }

    Runs runs_;
    size_t bytes_; // left
    TypeRun ahead_;
};

bool is_mixed(const Datatype &type) {
    return (type.signature & mixed_signature) != 0;
}

bool same_basic(const Datatype &a, const Datatype &b, TypeRules rules) {
    const auto i = static_cast<int>(rules);
    return a.sequence[i] == b.sequence[i];
}

std::string name_of(const Datatype &type) {
    char name[256];
    return describe(type, name, sizeof name);
}

// Returns the hash of the first `rest` bytes of one element, by descending into the block where
// they end.
PrefixHash descend(const Datatype *type, size_t rest, int which) {
    PrefixHash sum;
    while (rest > 0) {
        const Datatype *inside = nullptr;
        const Count blocks = block_count(*type);
        for (Count i = 0; i < blocks && !inside && rest > 0; ++i) {
            const TypeBlock block = block_at(*type, i);
            const auto one = static_cast<size_t>(block.type->size_bytes);
            if (one == 0 || block.copies == 0)
                continue;
            const uint64_t copies = std::min(rest / one, static_cast<size_t>(block.copies));
            const auto length = static_cast<uint64_t>(block.type->basic_elements);
            sum.hash = sequence_hash::join(
                sum.hash, sequence_hash::repeat(block.type->sequence[which], length, copies),
                length * copies);
            rest -= copies * one;
            if (copies < static_cast<uint64_t>(block.copies))
                inside = block.type;
        }
        if (rest > 0 && !inside) { // inside a basic element
            sum.is_cut = true;
            break;
        }
        type = inside;
    }
    return sum;
}

} // namespace

PrefixHash prefix_hash(TypedBytes data, TypeRules rules) {
    const Datatype &type = *data.type;
    const auto which = static_cast<int>(rules);
    const auto one = static_cast<size_t>(type.size_bytes);
    if (one == 0)
        return {};
    const auto length = static_cast<uint64_t>(type.basic_elements);
    const uint64_t copies = data.bytes / one;
    const uint64_t whole = sequence_hash::repeat(type.sequence[which], length, copies);
    const size_t rest = data.bytes % one;
    if (rest == 0)
        return {whole, false};
    // The rest's number of elements is not known before it has been visited, so it is hashed behind
    // the whole elements.
    PrefixHash sum = descend(&type, rest, which);
    const Count elements = count_basic_elements(type, static_cast<Count>(rest));
    if (elements == MPI_UNDEFINED)
        sum.is_cut = true;
    else
        sum.hash = sequence_hash::add(
            sequence_hash::multiply(whole, sequence_hash::power(static_cast<uint64_t>(elements))),
            sum.hash);
    return sum;
}

bool types_match(TypedBytes sent, TypedBytes received, TypeRules rules) {
    const size_t bytes = std::min(sent.bytes, received.bytes);
    const uint8_t wildcards = sent.type->wildcards | received.type->wildcards;
    if (bytes == 0 || (wildcards & matching_wildcards(rules)))
        return true;
    if (!is_mixed(*sent.type) && !is_mixed(*received.type))
        return same_basic(*sent.type->element, *received.type->element, rules);
    const PrefixHash a = prefix_hash({sent.type, bytes}, rules);
    const PrefixHash b = prefix_hash({received.type, bytes}, rules);
    if (a.is_cut || b.is_cut) // a message that is too long may be cut anywhere
        return sent.bytes > received.bytes && a.is_cut;
    return a.hash == b.hash;
}

std::string types_text(TypedBytes data, bool with_count) {
    constexpr int runs_max = 3;
    JoinedRuns runs(data);
    TypeRun run = runs.next();
    std::string text;
    if (!with_count && !is_mixed(*data.type) && data.type->basic) {
        text = name_of(*data.type->basic);
    } else {
        for (int i = 0; run.type; ++i, run = runs.next()) {
            if (i == runs_max) {
                text += ", ...";
                break;
            }
            text += (i ? ", " : "") + std::to_string(run.copies) + " " + name_of(*run.type);
        }
    }
    if (data.type->contents && data.type->name && data.type->name[0])
        text += " (" + name_of(*data.type) + ")";
    return text;
}

std::string difference_text(TypedBytes sent, TypedBytes received, TypeRules rules,
                            const char *sent_name, const char *received_name) {
    constexpr int steps_max = 1 << 20;
    JoinedRuns sent_runs(sent), received_runs(received);
    TypeRun a = sent_runs.next(), b = received_runs.next();
    Count element = 0;
    for (int step = 0; step < steps_max && a.type && b.type; ++step) {
        if (!same_basic(*a.type, *b.type, rules)) {
            if (element == 0)
                return "";
            return "element " + std::to_string(element) + " is " + name_of(*a.type) + " in " +
                   sent_name + " and " + name_of(*b.type) + " in " + received_name;
        }
        const Count both = std::min(a.copies, b.copies);
        element += both;
        a.copies -= both;
        b.copies -= both;
        if (a.copies == 0)
            a = sent_runs.next();
        if (b.copies == 0)
            b = received_runs.next();
    }
    return "";
}

const Datatype *keep_derived(const Datatype &type) {
    if (type.element)
        return type.element;
    retain(const_cast<Datatype &>(type));
    return &type;
}

void drop_derived(const Datatype &type) {
    release(const_cast<Datatype &>(type));
}

uint8_t number_of_basic(const Datatype &basic) {
    return static_cast<uint8_t>(&basic - predefined_datatypes.types + 1);
}

const Datatype &basic_of_number(uint8_t number) {
    return predefined_datatypes.types[number - 1];
}

} // namespace thrum
