#include "server/spawn_request.h"

#include "server/parcel.h"

namespace mpiexec {

std::string SpawnRequest::encode() const {
    Parcel parcel;
    const auto put_text = [&](const std::string &text) {
        parcel.put(text);
    };
    parcel.put_list(programs, [&](const Program &program) {
        parcel.put(program.processes);
        parcel.put(program.path);
        parcel.put_list(program.arguments, put_text);
        parcel.put_list(program.variables, put_text);
        parcel.put(program.directory);
        parcel.put(program.hosts);
    });
    return parcel.text();
}

void SpawnRequest::decode(std::string text) {
    Parcel parcel(std::move(text));
    const auto take_text = [&] {
        return parcel.take();
    };
    programs = parcel.take_list([&] {
        Program program;
        program.processes = static_cast<int>(parcel.take_number());
        program.path = parcel.take();
        program.arguments = parcel.take_list(take_text);
        program.variables = parcel.take_list(take_text);
        program.directory = parcel.take();
        program.hosts = parcel.take();
        return program;
    });
}

} // namespace mpiexec
