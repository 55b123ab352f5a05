// Bodies that attract each other, by the method of J. Barnes and P. Hut (Nature 324, 1986); after
// application "nbody" of R. Alpert and J. Philbin, "cBSP" (1997), section 6.2.2.
//
// Space is cut into slabs with about the same number of bodies, one for each process. A step:
//   1. the processes tell each other how many bodies they have in each of some narrow slices of
//      space, and all find the same new slabs
//   2. a body that has left its slab goes to its new process, each in a message of its own: how
//   many
//      come, nobody knows; the handler finds a place for them (this superstep ends globally)
//   3. the processes tell each other how many bodies they have now
//   4. all get all bodies, and each computes the tree, and the forces on its own bodies
#include "application.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

namespace {

constexpr int slices = 512;
constexpr double opening = 0.7, softening = 0.05, dt = 0.01, box = 8;

using Vector = std::array<double, 3>;

struct Body {
    Vector place, velocity;
    double mass;
    int number;
    int pad;
};

// ---- the tree

struct Cell {
    Vector middle, centre; // of the cell, of its mass
    double half, mass;
    int children[8]; // index of a cell; -1: none
    int body;        // index of the only body in it; -1: several, or none
};

class Tree {
public:
    // `bodies` in the order of their numbers: the tree, and so each force, is the same everywhere.
    explicit Tree(const std::vector<Body> &bodies) : bodies_(bodies) {
        double half = 0;
        for (const Body &body : bodies)
            for (double x : body.place)
                half = std::max(half, std::fabs(x));
        cells_.reserve(bodies.size() * 2);
        add_cell({0, 0, 0}, half + 1e-9);
        for (size_t i = 0; i < bodies.size(); ++i)
            insert(static_cast<int>(i));
        weigh(0);
    }

    Vector force(const Body &body) const {
        Vector sum{};
        add_force(0, body, sum);
        return sum;
    }

private:
    static constexpr int depth_max = 48;

    int add_cell(const Vector &middle, double half) {
        cells_.push_back({middle, {}, half, 0, {-1, -1, -1, -1, -1, -1, -1, -1}, -1});
        return static_cast<int>(cells_.size()) - 1;
    }

    Cell &cell(int index) { return cells_[static_cast<size_t>(index)]; }

    const Body &body(int index) const { return bodies_[static_cast<size_t>(index)]; }

    int octant(const Cell &c, const Body &b) const {
        return (b.place[0] > c.middle[0]) + 2 * (b.place[1] > c.middle[1]) +
               4 * (b.place[2] > c.middle[2]);
    }

    bool is_empty(const Cell &c) const {
        return c.body < 0 && std::all_of(c.children, c.children + 8, [](int i) { return i < 0; });
    }

    int child_for(int index, const Body &b) {
        int which = octant(cell(index), b);
        if (cell(index).children[which] >= 0)
            return cell(index).children[which];
        const double half = cell(index).half / 2;
        Vector middle = cell(index).middle;
        for (size_t d = 0; d < 3; ++d)
            middle[d] += which >> d & 1 ? half : -half;
        int child = add_cell(middle, half);
        cell(index).children[which] = child;
        return child;
    }

    void insert(int number) {
        int index = 0;
        for (int depth = 0; !is_empty(cell(index)); ++depth) {
            if (depth == depth_max)
                bsp_abort("bodies are too close to each other");
            if (int other = cell(index).body; other >= 0) { // it moves one cell down
                cell(index).body = -1;
                int child = child_for(index, body(other));
                cell(child).body = other;
            }
            index = child_for(index, body(number));
        }
        cell(index).body = number;
    }

    void weigh(int index) {
        Cell &c = cell(index);
        if (c.body >= 0) {
            c.mass = body(c.body).mass;
            c.centre = body(c.body).place;
            return;
        }
        for (int child : c.children) {
            if (child < 0)
                continue;
            weigh(child);
            const Cell &part = cell(child);
            c.mass += part.mass;
            for (size_t d = 0; d < 3; ++d)
                c.centre[d] += part.mass * part.centre[d];
        }
        for (double &x : c.centre)
            x /= c.mass;
    }

    void add_force(int index, const Body &b, Vector &sum) const {
        const Cell &c = cells_[static_cast<size_t>(index)];
        if (c.body >= 0 && body(c.body).number == b.number)
            return;
        Vector to;
        double square = softening * softening;
        for (size_t d = 0; d < 3; ++d) {
            to[d] = c.centre[d] - b.place[d];
            square += to[d] * to[d];
        }
        if (c.body >= 0 || 4 * c.half * c.half < opening * opening * square) {
            const double strength = c.mass / (square * std::sqrt(square));
            for (size_t d = 0; d < 3; ++d)
                sum[d] += strength * to[d];
            return;
        }
        for (int child : c.children)
            if (child >= 0)
                add_force(child, b, sum);
    }

    const std::vector<Body> &bodies_;
    std::vector<Cell> cells_;
};

void move(std::vector<Body> &own, const std::vector<Body> &all) {
    const Tree tree(all);
    for (Body &body : own) {
        const Vector force = tree.force(body);
        for (size_t d = 0; d < 3; ++d) {
            body.velocity[d] += dt * force[d];
            body.place[d] += dt * body.velocity[d];
        }
    }
}

// ---- the processes

std::vector<Body> own_bodies, all_bodies;
std::vector<int> histograms, counts; // of all processes
std::vector<int> owner_of_slice;

Body make_body(int number) {
    unsigned state = static_cast<unsigned>(number) * 2654435761u + 12345;
    auto random = [&state] {
        state = state * 1664525u + 1013904223u;
        return static_cast<double>(state >> 8) / (1 << 24) - 0.5;
    };
    Body body{};
    for (size_t d = 0; d < 3; ++d) {
        body.place[d] = 4 * random() * std::fabs(random()) * 2;
        body.velocity[d] = random();
    }
    body.mass = 1.0 / app.size;
    body.number = number;
    return body;
}

int slice_of(const Body &body) {
    double place = (body.place[0] + box / 2) / box * slices;
    return std::clamp(static_cast<int>(std::floor(place)), 0, slices - 1);
}

// Sends what this process knows, a part of `table`, to the same place of all others.
template <class T>
void tell_all(std::vector<T> &table, int begin, int length) {
    const int p = bsp_nprocs(), me = bsp_pid();
    for (int to = 0; to < p; ++to)
        if (to != me)
            cbsp_send(to, table.data() + begin, table.data() + begin,
                      length * static_cast<ptrdiff_t>(sizeof(T)), nullptr);
    end_superstep(p - 1);
}

void find_slabs() {
    const int p = bsp_nprocs(), me = bsp_pid();
    int *mine = histograms.data() + static_cast<ptrdiff_t>(me) * slices;
    std::fill(mine, mine + slices, 0);
    for (const Body &body : own_bodies)
        ++mine[slice_of(body)];
    tell_all(histograms, me * slices, slices);
    long before = 0;
    for (int slice = 0; slice < slices; ++slice) {
        owner_of_slice[static_cast<size_t>(slice)] =
            static_cast<int>(std::min<long>(before * p / app.size, p - 1));
        for (int q = 0; q < p; ++q)
            before += histograms[static_cast<size_t>(q * slices + slice)];
    }
}

void take_body(int, void *data, int) {
    Body body;
    std::memcpy(&body, data, sizeof body);
    own_bodies.push_back(body);
}

void move_to_owners() {
    std::vector<Body> staying;
    for (const Body &body : own_bodies) {
        int owner = owner_of_slice[static_cast<size_t>(slice_of(body))];
        if (owner == bsp_pid())
            staying.push_back(body);
        else
            cbsp_send(owner, nullptr, &body, sizeof body, take_body);
    }
    own_bodies.swap(staying);
    cbsp_gsync();
}

void gather_all() {
    const int me = bsp_pid();
    counts[static_cast<size_t>(me)] = static_cast<int>(own_bodies.size());
    tell_all(counts, me, 1);
    int begin = 0;
    for (int q = 0; q < me; ++q)
        begin += counts[static_cast<size_t>(q)];
    std::copy(own_bodies.begin(), own_bodies.end(), all_bodies.begin() + begin);
    tell_all(all_bodies, begin, static_cast<int>(own_bodies.size()));
    std::sort(all_bodies.begin(), all_bodies.end(),
              [](const Body &a, const Body &b) { return a.number < b.number; });
}

void simulate() {
    for (int step = 0; step < app.steps; ++step) {
        find_slabs();
        move_to_owners();
        gather_all();
        move(own_bodies, all_bodies);
    }
    gather_all();
}

bool is_equal() {
    std::vector<Body> bodies;
    for (int i = 0; i < app.size; ++i)
        bodies.push_back(make_body(i));
    for (int step = 0; step < app.steps; ++step) {
        const std::vector<Body> before = bodies;
        move(bodies, before);
    }
    return !std::memcmp(bodies.data(), all_bodies.data(), bodies.size() * sizeof(Body));
}

template <class T>
void register_table(std::vector<T> &table, size_t size) {
    table.resize(size);
    bsp_push_reg(table.data(), static_cast<ptrdiff_t>(size * sizeof(T)));
}

} // namespace

int main(int argc, char **argv) {
    cbsp_initialize();
    read_arguments("nbody", 16000, 20, argc, argv);
    const int p = bsp_nprocs(), me = bsp_pid();
    register_table(histograms, static_cast<size_t>(p) * slices);
    register_table(counts, static_cast<size_t>(p));
    register_table(all_bodies, static_cast<size_t>(app.size));
    owner_of_slice.resize(slices);
    for (int i = me; i < app.size; i += p)
        own_bodies.push_back(make_body(i));
    start_clock();
    simulate();
    const double seconds = bsp_time() - app.started;
    if (me == 0)
        print_results(seconds, app.compare ? is_equal() : -1);
    bsp_end();
    return 0;
}
