// Static data members: constants, arrays, members of nested classes, references, pointers to
// members.
// ranks: 8 64
#include "torture.h"

#include <string>

class Account {
public:
    static int opened;
    static const int limit = 10;
    static constexpr double rate = 0.5;
    static std::string bank;
    static int history[4];
    static int &alias;
    static Account *newest;
    static int Account::*selected;
    static const char *(*describe)();

    struct Details {
        static long total;
    };

    int balance = 0, bonus = 7;

    Account() {
        ++opened;
        newest = this;
    }

    static const char *plain() { return "plain"; }

    static const char *special() { return "special"; }
};

int Account::opened = 3;
const int Account::limit;
std::string Account::bank = "a bank whose name needs the heap";
int Account::history[4] = {1, 2};
int &Account::alias = Account::history[1];
Account *Account::newest;
int Account::*Account::selected = &Account::balance;
const char *(*Account::describe)() = Account::plain;
long Account::Details::total = 1L << 40;
static Account global;
static const int *to_limit = &Account::limit;

int main(int argc, char **argv) {
    CHECK(Account::opened == 4 && Account::newest == &global && *to_limit == 10);
    CHECK(&Account::alias == &Account::history[1] && Account::describe() == std::string("plain"));
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        Account local;
        local.*Account::selected += rank;
        Account::alias += rank, Account::Details::total -= rank,
            Account::bank += char('a' + rank % 26);
        Account::history[3] = Account::limit + rank;
        Account::selected = i & 1 ? &Account::bonus : &Account::balance;
        Account::describe = rank & 1 ? Account::special : Account::plain;
        let_others_run();
        CHECK(Account::opened == 4 + i && Account::newest == &local);
        CHECK_EQUAL(local.balance + local.bonus, 7 + rank);
        CHECK_EQUAL(Account::history[1], 2 + i * rank);
        CHECK(Account::Details::total == (1L << 40) - i * rank &&
              Account::bank.back() == 'a' + rank % 26);
        CHECK(Account::bank.size() == 32u + i && Account::history[3] == 10 + rank);
        CHECK(Account::describe() == std::string(rank & 1 ? "special" : "plain"));
        CHECK_EQUAL(global.*Account::selected, i & 1 ? 7 : 0);
    }
    return finish();
}
