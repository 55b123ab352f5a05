// Facets of the program's own in streams' locales, std::locale::global, collation and number
// formats.
// ranks: 8 64
#include "torture.h"

#include <iomanip>
#include <locale>
#include <sstream>
#include <string>

static int facets_made, grouping_asked;

class RankPunctuation : public std::numpunct<char> {
public:
    explicit RankPunctuation(char point) : point_(point) { ++facets_made; }

protected:
    char do_decimal_point() const override { return point_; }

    char do_thousands_sep() const override { return '_'; }

    std::string do_grouping() const override {
        ++grouping_asked;
        return "\3";
    }

private:
    char point_;
};

class Tagged : public std::locale::facet {
public:
    static std::locale::id id;
    int tag;

    explicit Tagged(int t) : tag(t) {}
};

std::locale::id Tagged::id;

static std::ostringstream output;
static std::locale classic = std::locale::classic();

int main(int argc, char **argv) {
    CHECK(facets_made == 0 && !std::has_facet<Tagged>(classic) && classic.name() == "C");
    int rank = start(&argc, &argv);
    char point = char('A' + rank % 26);
    std::locale own(std::locale(classic, new RankPunctuation(point)), new Tagged(rank));
    output.imbue(own);
    let_others_run();
    output << std::fixed << std::setprecision(1) << 1234567.5;
    CHECK(output.str() == std::string("1_234_567") + point + "5");
    CHECK(std::use_facet<Tagged>(output.getloc()).tag == rank && facets_made == 1 &&
          grouping_asked > 0);
    std::locale previous = std::locale::global(own);
    let_others_run();
    std::ostringstream another;
    another << 0.5;
    CHECK(another.str() == std::string("0") + point + "5" && previous == classic);
    CHECK(std::use_facet<Tagged>(std::locale()).tag == rank);
    std::istringstream input("7_654_321");
    long number = 0;
    input >> number;
    CHECK(number == 7654321 && std::toupper('q', std::locale()) == 'Q');
    std::locale::global(classic);
    let_others_run();
    CHECK(!std::has_facet<Tagged>(std::locale()));
    return finish();
}
