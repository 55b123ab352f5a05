#include "comm/call_names.h"

namespace thrum {
namespace {

CallNames call_names{};

} // namespace

void set_call_names(const CallNames &names) {
    call_names = names;
}

std::string name_of_call(const CallPlace &place) {
    return call_names.name ? call_names.name(place.function) : "an MPI call";
}

std::string site_of_call(const CallPlace &place) {
    char text[512] = "an unknown place";
    if (call_names.site)
        call_names.site(place.call_site, text, sizeof text);
    return text;
}

uint64_t number_of_call(const CallPlace &place) {
    return place.call_site && call_names.number ? call_names.number(place.call_site) : 0;
}

} // namespace thrum
