// A two-dimensional Fourier transform in C++: rows are transformed, the matrix is transposed by
// MPI_Alltoall of resized vector datatypes, and rows are transformed again. Checked against the
// direct sum at some frequencies, by Parseval's theorem, and by the way back.
// ranks: 1 4 16 32
#include "world.h"

#include <cmath>
#include <complex>
#include <vector>

using Complex = std::complex<double>;
constexpr int kSide = 32;
const double kPi = std::acos(-1.0);

static void transform(Complex *x, int n, int sign) {
    if (n == 1)
        return;
    std::vector<Complex> even(n / 2), odd(n / 2);
    for (int i = 0; i < n / 2; ++i)
        even[i] = x[2 * i], odd[i] = x[2 * i + 1];
    transform(even.data(), n / 2, sign);
    transform(odd.data(), n / 2, sign);
    for (int i = 0; i < n / 2; ++i) {
        Complex turned = std::polar(1.0, sign * 2 * kPi * i / n) * odd[i];
        x[i] = even[i] + turned;
        x[i + n / 2] = even[i] - turned;
    }
}

static Complex signal(int i, int j) {
    return {std::sin(0.37 * i * j), (i * 5 + j * 3) % 7 / 7.0};
}

class Plane {
public:
    Plane()
        : rows_(kSide / size), cells_(static_cast<size_t>(rows_) * kSide), next_(cells_.size()) {
        // A block of rows_ x rows_ cells, read by columns: the receiver sees it transposed.
        MPI_Datatype column, columns;
        MPI_Type_vector(rows_, 1, kSide, MPI_C_DOUBLE_COMPLEX, &column);
        MPI_Type_create_resized(column, 0, sizeof(Complex), &columns);
        MPI_Type_contiguous(rows_, columns, &block_);
        MPI_Type_free(&column);
        MPI_Type_free(&columns);
        MPI_Type_create_resized(block_, 0, static_cast<MPI_Aint>(rows_ * sizeof(Complex)), &sent_);
        MPI_Type_commit(&sent_);
        MPI_Datatype row_block;
        MPI_Type_vector(rows_, rows_, kSide, MPI_C_DOUBLE_COMPLEX, &row_block);
        MPI_Type_create_resized(row_block, 0, static_cast<MPI_Aint>(rows_ * sizeof(Complex)),
                                &taken_);
        MPI_Type_commit(&taken_);
        MPI_Type_free(&row_block);
    }

    ~Plane() {
        MPI_Type_free(&block_);
        MPI_Type_free(&sent_);
        MPI_Type_free(&taken_);
    }

    Complex &at(int row, int column) { return cells_[static_cast<size_t>(row) * kSide + column]; }

    int rows() const { return rows_; }

    void transform_all(int sign) {
        for (int pass = 0; pass < 2; ++pass) {
            for (int i = 0; i < rows_; ++i)
                transform(&at(i, 0), kSide, sign);
            CHECK_SUCCESS(
                MPI_Alltoall(cells_.data(), 1, sent_, next_.data(), 1, taken_, MPI_COMM_WORLD));
            cells_.swap(next_);
        }
    }

private:
    int rows_;
    std::vector<Complex> cells_, next_;
    MPI_Datatype block_, sent_, taken_;
};

int main(int argc, char **argv) {
    start(&argc, &argv);
    {
        Plane plane;
        int first = rank * plane.rows();
        double energy[2] = {0, 0}, sums[2];
        for (int i = 0; i < plane.rows(); ++i)
            for (int j = 0; j < kSide; ++j) {
                plane.at(i, j) = signal(first + i, j);
                energy[0] += std::norm(plane.at(i, j));
            }
        plane.transform_all(-1);
        for (int i = 0; i < plane.rows(); ++i)
            for (int j = 0; j < kSide; ++j)
                energy[1] += std::norm(plane.at(i, j));
        CHECK_SUCCESS(MPI_Allreduce(energy, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
        CHECK(std::fabs(sums[1] / (kSide * kSide) - sums[0]) < 1e-9 * sums[0]);
        for (int j = rank % 3; j < kSide; j += 11) {
            Complex direct = 0;
            for (int k = 0; k < kSide; ++k)
                for (int l = 0; l < kSide; ++l)
                    direct +=
                        signal(k, l) * std::polar(1.0, -2 * kPi * (first * k + j * l) / kSide);
            CHECK(std::abs(direct - plane.at(0, j)) < 1e-8);
        }
        plane.transform_all(+1);
        for (int i = 0; i < plane.rows(); ++i)
            for (int j = 0; j < kSide; ++j)
                CHECK(std::abs(plane.at(i, j) / static_cast<double>(kSide * kSide) -
                               signal(first + i, j)) < 1e-10);
    }
    return finish();
}
