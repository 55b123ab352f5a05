#include "agents/host_observations.h"

#include "base/codec.h"
#include "plan/message.h"
#include "plan/usage_error.h"
#include "start/observed_job.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <unistd.h>

namespace mpiexec {
namespace {

namespace fs = std::filesystem;

constexpr size_t part_bytes = 1 << 20;

std::string encode_part(const std::string &name, off_t offset, std::string_view bytes) {
    thrum::Encoder encoder;
    encoder.put_text(name);
    encoder.put_number(offset);
    encoder.put_text(bytes);
    return encoder.text();
}

void send_file(const fs::path &path, Link &link) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::string part(part_bytes, '\0');
    off_t offset = 0;
    for (ssize_t n; file >= 0 && (n = ::pread(file, part.data(), part.size(), offset)) > 0;
         offset += n) {
        const std::string_view bytes(part.data(), static_cast<size_t>(n));
        if (bytes.find_first_not_of('\0') != std::string_view::npos)
            link.send({Word::Observed, 0, 0, encode_part(path.filename().string(), offset, bytes)});
    }
    link.send({Word::Observed, 0, 0, encode_part(path.filename().string(), offset, "")}); // its end
    if (file >= 0)
        ::close(file);
}

} // namespace

HostObservations::HostObservations(const Options &options) {
    const std::string directory = options.value_of("observe");
    if (directory.empty() || ::access(directory.c_str(), F_OK) == 0)
        return;
    std::error_code error;
    fs::create_directories(directory, error);
    if (error)
        throw UsageError(2, fmt::format("cannot make {}, in which the ranks are observed: {}",
                                        directory, error.message()));
    if (!options.trace.request.empty())
        write_trace_request(directory, options.trace.request);
    directory_ = directory;
}

HostObservations::~HostObservations() {
    std::error_code ignored;
    if (!directory_.empty())
        fs::remove_all(directory_, ignored);
}

void HostObservations::send(Link &link) const {
    if (directory_.empty())
        return;
    std::error_code ignored;
    for (const auto &entry : fs::directory_iterator(directory_, ignored))
        send_file(entry.path(), link);
}

// The end of a file is a part without bytes: the file may end with what is zero and was not sent.
void keep_observation(const Options &options, std::string_view data) {
    thrum::Decoder decoder(data);
    const std::string name = decoder.take_text();
    const off_t offset = decoder.take_number(0);
    const std::string bytes = decoder.take_text();
    const std::string directory = options.value_of("observe");
    if (!decoder.finish() || directory.empty() || name.empty() || name.find('/') != name.npos)
        return;
    const std::string path = directory + "/" + name;
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const bool is_written =
        file >= 0 && (bytes.empty() ? ::ftruncate(file, offset) == 0
                                    : ::pwrite(file, bytes.data(), bytes.size(), offset) ==
                                          static_cast<ssize_t>(bytes.size()));
    if (!is_written)
        say("what another host has noted is not complete: {}: {}", path, std::strerror(errno));
    if (file >= 0)
        ::close(file);
}

} // namespace mpiexec
