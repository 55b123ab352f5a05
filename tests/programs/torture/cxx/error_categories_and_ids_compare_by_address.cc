// std::error_category of the program's own and of the library, type ids, filesystem paths and their
// errors.
// ranks: 8 64
#include "torture.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>

static int messages_asked;

class RankCategory : public std::error_category {
public:
    const char *name() const noexcept override { return "rank"; }

    std::string message(int code) const override {
        ++messages_asked;
        return "code " + std::to_string(code);
    }
};

static const RankCategory category;
static std::error_code last(0, category);
static const std::error_category *system_category = &std::system_category();
static std::map<std::error_code, int> seen;
static const void *const ids[] = {&ids[0], &category, &last};
static std::filesystem::path folder = std::filesystem::path("/") / "nonexistent";

int main(int argc, char **argv) {
    CHECK(last.category() == category && !last && system_category == &std::system_category());
    CHECK(messages_asked == 0 && ids[1] == &category && ids[0] == &ids[0] &&
          folder == "/nonexistent");
    int rank = start(&argc, &argv);
    last.assign(rank + 1, category);
    seen[last] = rank;
    folder /= std::to_string(rank);
    let_others_run();
    CHECK(last.message() == "code " + std::to_string(rank + 1) && messages_asked == 1 &&
          seen.size() == 1);
    std::error_code code;
    CHECK(std::filesystem::file_size(folder, code) == std::uintmax_t(-1) && code.value() == ENOENT);
    CHECK(code == std::errc::no_such_file_or_directory &&
          code.category() == std::generic_category());
    std::string text;
    try {
        throw std::system_error(last, "wrapped");
    } catch (const std::system_error &error) {
        let_others_run();
        CHECK(error.code() == last && error.code().category() == category);
        text = error.what();
    }
    CHECK(text == "wrapped: code " + std::to_string(rank + 1));
    try {
        std::filesystem::create_directory(folder / "x");
    } catch (const std::filesystem::filesystem_error &error) {
        text = error.path1();
    }
    CHECK(text == "/nonexistent/" + std::to_string(rank) + "/x");
    return finish();
}
