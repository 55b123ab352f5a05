// Neighbourhood collectives (MPI 5.0 sections 8.6 to 8.8): a message along every edge of the
// topology, on the communicator's library context. All three forms use one request: the blocking
// form is start and wait, a persistent one is started repeatedly.
//
// Invariants
// 1. Each operation has its own tag, so several may be outstanding at once.
// 2. All receives are posted before the first send: a process may be its own neighbour.
// 3. Edges between the same two processes match in order (Neighbors::order_of_receiving).
#pragma once
#include "comm/topology.h"
#include "meeting/blocks.h"
#include "pt2pt/message_data.h"
#include "pt2pt/request.h"

namespace thrum {

// One operation, in any of its forms, as a request.
class NeighborExchange final : public OperationRequest {
public:
    // Makes the request. Block i of `send` goes to destination i, block i of `receive` comes from
    // source i. The arrays in `send` and `receive` are not used after the call; references to
    // datatypes and the communicator are held. `name` is the MPI function, for reports.
    static NeighborExchange *make(Communicator &communicator, const Neighbors &neighbors,
                                  const Blocks &send, const Blocks &receive, bool persistent,
                                  const char *name);
    ~NeighborExchange() override;

    static void operator delete(void *memory); // frees what make() has allocated

    Error start() override MAY_SUSPEND;
    Error result(MPI_Status *status) override;
    Error check_free() const override;
    Blockage blockage() const override;

    const char *name() const override { return name_; }

    void add_missing(std::vector<int> &world_ranks) const override;

private:
    struct Send {
        SourceData data;
        int destination;
        SendRequest *rendezvous; // nullptr: not needed so far
    };

    NeighborExchange(Communicator &communicator, int message_tag, const char *name);
    void add_receive(const Block &block, int source_rank);
    void add_send(const Block &block, int destination);
    [[gnu::cold]] void watch_buffers() const;
    bool leave_envelope_of(Send &send, Mailbox &receiver) MAY_SUSPEND;

    Envelope envelope_of(int sender) const { return {comm->context->id + 1, sender, tag}; }

    WaitGroup pieces_{completion, 0}; // reset by each start()
    // Located behind this object, with room for every neighbour, including MPI_PROC_NULL.
    ReceiveRequest *receives_ = nullptr;
    Send *sends_ = nullptr;
    const char *name_;
    int receive_count_ = 0;
    int send_count_ = 0;
};

} // namespace thrum
