// How a process can be reached over the network, as texts that it publishes (base/codec.h).
#pragma once
#include <string>
#include <vector>

namespace thrum {

// What every process publishes when the job begins. Addresses are bytes.
struct NetworkAddresses {
    std::string provider; // libfabric's; "": the process uses no network
    std::string network;  // the addresses of all receivers, one after the other, of the same length
    std::string watch;    // of NodeWatch; "": it watches no nodes

    bool operator==(const NetworkAddresses &) const = default;
};

std::string encode_addresses(const NetworkAddresses &addresses);
// Returns no provider if `text` is not what encode_addresses() writes.
NetworkAddresses parse_addresses(const std::string &text);

// Addresses for processes that are added later, which ask the launcher for them. It keeps only
// texts, so these consist of printable characters.
std::string encode_printable(const std::vector<std::string> &addresses);
// Returns nothing if `text` is not what encode_printable() writes.
std::vector<std::string> parse_printable(const std::string &text);

} // namespace thrum
