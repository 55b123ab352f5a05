// Compares random graphs with a model that every rank can compute, and neighbourhood collectives on
// them with a serial one.
#include "coll/testing/on_each_layer.h"
#include "coll/testing/random_collective.h"
#include "comm/topology.h"
#include "entry/calls.h"
#include "pt2pt/freed_requests.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/wait.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace thrum {
namespace {

using namespace thrum::testing;

// All ranks draw the same numbers.
struct Draw {
    std::minstd_rand engine;

    int operator()(int end) { return static_cast<int>(engine() / 7 % static_cast<unsigned>(end)); }
};

struct Edge {
    int source, destination, weight;
    int named_by; // the rank that passes it to MPI_Dist_graph_create

    bool operator<(const Edge &other) const {
        return std::tie(source, destination, weight) <
               std::tie(other.source, other.destination, other.weight);
    }

    bool operator==(const Edge &other) const { return !(*this < other) && !(other < *this); }
};

std::vector<Edge> random_edges(Draw &draw, int size) {
    std::vector<Edge> edges(static_cast<size_t>(draw(3 * size + 1)));
    for (Edge &edge : edges)
        edge = {draw(size), draw(size), draw(50), draw(size)};
    return edges;
}

// Makes a communicator with this graph; half of the draws use MPI_Dist_graph_create_adjacent.
MPI_Comm make_graph(Communicator &comm, const std::vector<Edge> &edges, bool adjacent,
                    bool weighted) {
    MPI_Comm made = MPI_COMM_NULL;
    std::vector<int> sources, source_weights, degrees, destinations, weights;
    for (const Edge &edge : edges) {
        if (adjacent && edge.destination == comm.rank) {
            sources.push_back(edge.source);
            source_weights.push_back(edge.weight);
        }
        if (adjacent ? edge.source == comm.rank : edge.named_by == comm.rank) {
            destinations.push_back(edge.destination);
            weights.push_back(edge.weight);
        }
        if (!adjacent && edge.named_by == comm.rank) {
            sources.push_back(edge.source);
            degrees.push_back(1);
        }
    }
    auto of = [&](const std::vector<int> &given) {
        return !weighted ? MPI_UNWEIGHTED : given.empty() ? MPI_WEIGHTS_EMPTY : given.data();
    };
    Error error = adjacent
                      ? mpi::dist_graph_create_adjacent(
                            comm, static_cast<int>(sources.size()), sources.data(),
                            of(source_weights), static_cast<int>(destinations.size()),
                            destinations.data(), of(weights), nullptr, 0, &made)
                      : mpi::dist_graph_create(comm, static_cast<int>(sources.size()),
                                               sources.data(), degrees.data(), destinations.data(),
                                               of(weights), nullptr, 0, &made);
    EXPECT_FALSE(error) << error_detail(error.code());
    return made;
}

class Graphs : public OnEachLayer {};

INSTANTIATE_TEST_SUITE_P(On, Graphs,
                         ::testing::Combine(::testing::ValuesIn(layers),
                                            ::testing::Values(1, 2, 5, 16)),
                         name_of_layer_and_size);

// Section 8.5.5: every member knows exactly its edges, with their weights.
TEST_P(Graphs, MembersKnowTheirEdges) {
    run([](Process &self) {
        Draw draw{std::minstd_rand(test_seed())};
        for (int i = 0; i < 30; ++i) {
            std::vector<Edge> edges = random_edges(draw, self.world->size);
            bool adjacent = draw(2), weighted = draw(3);
            MPI_Comm graph = make_graph(*self.world, edges, adjacent, weighted);
            Communicator &comm = *find_communicator(graph);
            const Adjacency &found = comm.topology->adjacency;
            std::vector<Edge> in, out, expected_in, expected_out;
            for (size_t k = 0; k < found.sources.size(); ++k)
                in.push_back(
                    {found.sources[k], comm.rank, weighted ? found.source_weights[k] : 0, 0});
            for (size_t k = 0; k < found.destinations.size(); ++k)
                out.push_back({comm.rank, found.destinations[k],
                               weighted ? found.destination_weights[k] : 0, 0});
            for (Edge edge : edges) {
                edge.weight = weighted ? edge.weight : 0;
                if (edge.destination == comm.rank)
                    expected_in.push_back(edge);
                if (edge.source == comm.rank)
                    expected_out.push_back(edge);
            }
            for (auto *list : {&in, &out, &expected_in, &expected_out})
                std::sort(list->begin(), list->end());
            EXPECT_EQ(in, expected_in);
            EXPECT_EQ(out, expected_out);
            EXPECT_FALSE(mpi::comm_free(&graph));
        }
    });
}

// Returns which of the destinations of `source` is the i-th source of a member: the n-th edge
// between two processes is the n-th at both.
int slot_at_source(const std::vector<int> &sources, size_t i,
                   const std::vector<int> &destinations_of_source, int rank) {
    auto nth = std::count(sources.begin(), sources.begin() + static_cast<ptrdiff_t>(i), sources[i]);
    for (size_t k = 0; k < destinations_of_source.size(); ++k)
        if (destinations_of_source[k] == rank && nth-- == 0)
            return static_cast<int>(k);
    return -1;
}

// A neighbourhood alltoallv or allgatherv of random blocks, in one of the three forms.
class Exchange {
public:
    Exchange(Draw &draw, unsigned number, Communicator &comm,
             const std::vector<std::vector<int>> &destinations)
        : number_(number), comm_(comm), destinations_(destinations), type_(draw(4)),
          gather_(draw(2)), limit_(draw(6) == 0 ? 3000 : 12),
          sources_(comm.topology->adjacency.sources), form_(draw(3)) {
        const auto &mine = destinations_[static_cast<size_t>(comm.rank)];
        lay_out(mine.size(), send_counts_, send_places_,
                [&](size_t k) { return count(comm_.rank, gather_ ? 0 : static_cast<int>(k)); });
        lay_out(sources_.size(), receive_counts_, receive_places_,
                [&](size_t i) { return count(sources_[i], slot(i)); });
        send_ = new TypedBuffer(type_, gather_ ? count(comm.rank, 0) : total(send_places_));
        receive_ = new TypedBuffer(type_, total(receive_places_));
        fill();
    }

    ~Exchange() {
        delete send_;
        delete receive_;
    }

    Exchange(const Exchange &) = delete;
    Exchange &operator=(const Exchange &) = delete;

    void start() {
        Datatype &type = *type_.type;
        void *in = send_->address(), *out = receive_->address();
        const int *counts = receive_counts_.data(), *places = receive_places_.data();
        const int *from_counts = send_counts_.data(), *from_places = send_places_.data();
        Count own = gather_ ? count(comm_.rank, 0) : 0;
        Error error;
        if (form_ == 0)
            error = gather_
                        ? mpi::neighbor_allgatherv(in, own, type, out, counts, places, type, comm_)
                        : mpi::neighbor_alltoallv(in, from_counts, from_places, type, out, counts,
                                                  places, type, comm_);
        else if (form_ == 1)
            error = gather_ ? mpi::ineighbor_allgatherv(in, own, type, out, counts, places, type,
                                                        comm_, &request_)
                            : mpi::ineighbor_alltoallv(in, from_counts, from_places, type, out,
                                                       counts, places, type, comm_, &request_);
        else {
            error = gather_ ? mpi::neighbor_allgatherv_init(in, own, type, out, counts, places,
                                                            type, comm_, nullptr, &request_)
                            : mpi::neighbor_alltoallv_init(in, from_counts, from_places, type, out,
                                                           counts, places, type, comm_, nullptr,
                                                           &request_);
            EXPECT_FALSE(mpi::start(&request_));
        }
        EXPECT_FALSE(error) << error_detail(error.code());
    }

    void finish() {
        EXPECT_FALSE(mpi::wait(&request_, MPI_STATUS_IGNORE));
        check();
        if (form_ == 2) {
            for (int again = 0; again < 2; ++again) {
                EXPECT_FALSE(mpi::start(&request_));
                EXPECT_FALSE(mpi::wait(&request_, MPI_STATUS_IGNORE));
            }
            check();
            EXPECT_FALSE(mpi::request_free(&request_));
        }
    }

private:
    int slot(size_t i) const {
        return gather_
                   ? 0
                   : slot_at_source(sources_, i, destinations_[static_cast<size_t>(sources_[i])],
                                    comm_.rank);
    }

    int count(int from, int block) const {
        return static_cast<int>(datum(number_, from, block, 777) % static_cast<unsigned>(limit_));
    }

    // In reverse order, with gaps of one element.
    template <class CountOf>
    static void lay_out(size_t blocks, std::vector<int> &counts, std::vector<int> &places,
                        CountOf count_of) {
        counts.resize(blocks);
        places.resize(blocks + 1);
        int end = 0;
        for (size_t k = blocks; k-- > 0;) {
            counts[k] = count_of(k);
            places[k] = end;
            end += counts[k] + 1;
        }
        places[blocks] = end;
    }

    static Count total(const std::vector<int> &places) { return places.back(); }

    std::vector<unsigned> block_of(int from, int block) const {
        return data(number_, from, block, static_cast<size_t>(count(from, block) * type_.numbers));
    }

    void put(std::vector<unsigned> &all, int place, const std::vector<unsigned> &block) const {
        std::copy(block.begin(), block.end(), all.begin() + place * type_.numbers);
    }

    void fill() {
        std::vector<unsigned> all(send_->numbers());
        if (gather_)
            put(all, 0, block_of(comm_.rank, 0));
        else
            for (size_t k = 0; k < send_counts_.size(); ++k)
                put(all, send_places_[k], block_of(comm_.rank, static_cast<int>(k)));
        send_->set(all);
        before_ = receive_->get();
    }

    void check() {
        std::vector<unsigned> expected = before_;
        for (size_t i = 0; i < sources_.size(); ++i)
            put(expected, receive_places_[i], block_of(sources_[i], slot(i)));
        if (receive_->get() != expected)
            ADD_FAILURE() << "operation " << number_ << ", form " << form_ << ", rank "
                          << comm_.rank << ": wrong data";
    }

    unsigned number_;
    Communicator &comm_;
    const std::vector<std::vector<int>> &destinations_; // of every rank
    UnsignedType type_;
    bool gather_;
    int limit_;
    const std::vector<int> &sources_;
    int form_;
    std::vector<int> send_counts_, send_places_, receive_counts_, receive_places_;
    TypedBuffer *send_ = nullptr, *receive_ = nullptr;
    std::vector<unsigned> before_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

TEST_P(Graphs, NeighboursGetEachOthersBlocks) {
    run([](Process &self) {
        Draw draw{std::minstd_rand(test_seed() + 5)};
        unsigned number = 0;
        for (int i = 0; i < 12; ++i) {
            std::vector<Edge> edges = random_edges(draw, self.world->size);
            MPI_Comm graph = make_graph(*self.world, edges, true, false);
            std::vector<std::vector<int>> destinations(static_cast<size_t>(self.world->size));
            for (const Edge &edge : edges)
                destinations[static_cast<size_t>(edge.source)].push_back(edge.destination);
            // Several at once, completed in another order.
            std::vector<Exchange *> pending;
            for (int k = draw(4) + 1; k > 0; --k) {
                pending.push_back(
                    new Exchange(draw, ++number, *find_communicator(graph), destinations));
                pending.back()->start();
            }
            bool backwards = draw(2);
            if (backwards)
                std::reverse(pending.begin(), pending.end());
            for (Exchange *exchange : pending) {
                exchange->finish();
                delete exchange;
            }
            EXPECT_FALSE(mpi::comm_free(&graph));
        }
        (void)finish_requests_of_world(self);
    });
}

} // namespace
} // namespace thrum
