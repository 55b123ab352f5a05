#include "agents/added_group.h"

#include "server/parcel.h"

#include <utility>

namespace mpiexec {

std::string AddedGroup::encode() const {
    Parcel parcel;
    parcel.put(name_space);
    parcel.put(thrum::encode_layout(layout));
    parcel.put(first_number);
    parcel.put(request.encode());
    return parcel.text();
}

AddedGroup::AddedGroup(std::string text) {
    Parcel parcel(std::move(text));
    name_space = parcel.take();
    thrum::parse_layout(parcel.take(), layout);
    first_number = static_cast<int>(parcel.take_number());
    request.decode(parcel.take());
}

const SpawnRequest::Program &AddedGroup::program_of(int number) const {
    size_t i = 0;
    for (; number >= request.programs[i].processes; ++i)
        number -= request.programs[i].processes;
    return request.programs[i];
}

} // namespace mpiexec
