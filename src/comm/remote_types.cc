// Types of data from another process (remote_types.h).
#include "comm/remote_types.h"

#include "comm/type_mismatch.h"

namespace thrum {

RemoteTypes remote_types(TypedBytes data) {
    if (!data.type || data.bytes == 0 || type_check() == TypeCheck::Off)
        return {};
    const Datatype &type = *data.type;
    if (type.element)
        return {number_of_basic(*type.element), 0};
    if (type.wildcards & matching_wildcards(type_rules()))
        return {};
    return {RemoteTypes::several, prefix_hash(data, type_rules()).hash};
}

bool remote_types_match(const RemoteTypes &types, size_t bytes, TypedBytes room) {
    if (types.number == RemoteTypes::unknown || type_check() == TypeCheck::Off)
        return true;
    if (types.number != RemoteTypes::several) {
        const Datatype &basic = basic_of_number(types.number);
        return types_surely_match(basic, *room.type) || types_are_accepted({&basic, bytes}, room);
    }
    const TypeRules rules = type_rules();
    if (room.type->wildcards & matching_wildcards(rules))
        return true;
    const PrefixHash expected = prefix_hash({room.type, bytes}, rules);
    return !expected.is_cut && expected.hash == types.hash;
}

std::string remote_mismatch_text(const std::string &sender, const RemoteTypes &types, size_t bytes,
                                 const std::string &receiver, TypedBytes room) {
    if (types.number != RemoteTypes::several)
        return mismatch_text(sender, {&basic_of_number(types.number), bytes}, receiver, room);
    return sender + " has " + std::to_string(bytes) + " bytes of other types than " + receiver +
           " expects: " + types_text(room, true);
}

} // namespace thrum
