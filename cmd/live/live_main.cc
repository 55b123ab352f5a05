// live: the page of mpiexec --live, for a browser on this machine.
//
//   live SOCKET DIRECTORY TITLE    mpiexec has made SOCKET, a descriptor that listens on 127.0.0.1.
//                                  DIRECTORY has the observations of the job of program TITLE.
//                                  Standard input is a pipe: it ends with the job, after a text
//                                  that says how.
#include "http.h"
#include "plan/message.h"
#include "rank_hold.h"
#include "start/ending.h"
#include "text/json_string.h"
#include "view_json.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <netinet/in.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace live {
namespace {

using mpiexec::now_s;
using mpiexec::say;

constexpr double look_s = 0.4;   // between two looks, however many browsers ask
constexpr double renew_s = 1;    // between two renewals of a hold
constexpr double recent_s = 3;   // a browser that has asked since then is told how the job ended
constexpr double farewell_s = 2; // in which it must ask

volatile std::sig_atomic_t is_asked_to_end = 0;

std::string read_page() {
    const std::filesystem::path tree =
        std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
    const std::string path = (tree / THRUM_DATA_DIR / "thrum" / "live.html").string();
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf()))
        throw std::runtime_error(path + ": " + std::strerror(errno));
    return text.str();
}

int port_of(int socket) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    if (::getsockname(socket, reinterpret_cast<sockaddr *>(&address), &size) != 0)
        throw std::runtime_error(fmt::format("getsockname: {}", std::strerror(errno)));
    return ntohs(address.sin_port);
}

// Answers the requests of the page.
class Page {
public:
    Page(const std::string &directory, const std::string &title)
        : job_(directory, title), page_(read_page()) {}

    Response answer(const Request &request);

    // Renews the hold, if there is one.
    void tick() {
        if (now_s() - renewed_at_ >= renew_s) {
            hold_.renew();
            renewed_at_ = now_s();
        }
    }

    // Takes the last view, and notes how the job has ended.
    void end(const std::string &ending) {
        look();
        view_.ended = ending;
        has_ended_ = true;
    }

    bool was_asked_recently() const { return now_s() - asked_at_ < recent_s; }

    bool has_told_end() const { return has_told_end_; }

private:
    const View &view() {
        if (!has_ended_ && now_s() - looked_at_ >= look_s)
            look();
        return view_;
    }

    void look() {
        view_ = job_.look();
        looked_at_ = now_s();
    }

    Response act(const Request &request);

    JobWithObservations job_;
    RankHold hold_{job_};
    std::string page_;
    View view_;
    double looked_at_ = 0, renewed_at_ = 0, asked_at_ = -1e9;
    bool has_ended_ = false, has_told_end_ = false;
};

Response text(const std::string &sentence) {
    return {200, "application/json", "{\"text\":" + text::json_string(sentence) + "}\n"};
}

Response wrong(int status, const std::string &sentence) {
    return {status, "text/plain; charset=utf-8", sentence + "\n"};
}

// Reads the rank of the request, if it names one. Returns false if it is not one of the `count`
// ranks.
bool read_rank(const Request &request, size_t count, int &rank) {
    const auto found = request.query.find("rank");
    if (found == request.query.end())
        return true;
    const std::string &digits = found->second;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
    return error == std::errc() && end == digits.data() + digits.size() && rank >= 0 &&
           static_cast<size_t>(rank) < count;
}

Response Page::act(const Request &request) {
    if (has_ended_)
        return text("the job has ended");
    int rank = no_peer;
    if (!read_rank(request, view().ranks.size(), rank))
        return wrong(400, "rank is not a rank of the job");
    std::string sentence;
    if (request.path == "/pause") {
        hold_.hold();
        sentence = "each rank is held at its next MPI call";
    } else if (request.path == "/go") {
        hold_.go_on();
        sentence = "the ranks go on";
    } else if (request.path == "/step" || request.path == "/message") {
        if (!view().is_held)
            return text("the ranks are not held");
        sentence = request.path == "/step" ? hold_.step(rank) : hold_.step_message();
    } else {
        return wrong(404, "There is no such page.");
    }
    look();
    return text(sentence);
}

Response Page::answer(const Request &request) {
    asked_at_ = now_s();
    if (request.method == "POST")
        return act(request);
    if (request.path == "/")
        return {200, "text/html; charset=utf-8", page_};
    if (request.path == "/state") {
        has_told_end_ = has_ended_;
        return {200, "application/json", json_of(view())};
    }
    if (request.path == "/rank") {
        int rank = no_peer;
        if (!read_rank(request, view().ranks.size(), rank) || rank == no_peer)
            return wrong(400, "rank is not a rank of the job");
        return {200, "application/json", json_of_rank(view(), rank)};
    }
    if (request.path == "/queues") {
        if (!view().is_held || has_ended_)
            return wrong(400, "Queues are shown while the ranks are held.");
        return {200, "application/json", json_of(hold_.queues())};
    }
    return wrong(404, "There is no such page.");
}

int run(int socket, const std::string &directory, const std::string &title) {
    ::prctl(PR_SET_NAME, "thrum-view");
    ::signal(SIGINT, SIG_IGN); // Ctrl-C is for the job; mpiexec says when it has ended
    ::signal(SIGQUIT, SIG_IGN);
    ::signal(SIGPIPE, SIG_IGN);
    struct sigaction action{};
    action.sa_handler = [](int) {
        is_asked_to_end = 1;
    };
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigaction(SIGHUP, &action, nullptr);
    Page page(directory, title);
    const std::string token = make_token();
    HttpServer server(socket, token, [&](const Request &request) { return page.answer(request); });
    say("the live view is at http://127.0.0.1:{}/{}/", port_of(socket), token);
    constexpr int tick_ms = 500;
    while (!is_asked_to_end && !server.serve(tick_ms, STDIN_FILENO))
        page.tick();
    char ending[256];
    const ssize_t n = ::read(STDIN_FILENO, ending, sizeof ending);
    if (is_asked_to_end || n <= 0)
        return 0;
    page.end(std::string(ending, static_cast<size_t>(n)));
    const double until = now_s() + farewell_s;
    while (page.was_asked_recently() && now_s() < until &&
           (!page.has_told_end() || server.is_busy()))
        server.serve(50, -1);
    return 0;
}

} // namespace
} // namespace live

int main(int argc, char **argv) {
    mpiexec::speaker = "mpiexec";
    int socket = -1;
    if (argc == 4)
        std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), socket);
    if (socket < 0) {
        mpiexec::say("--live: this program is started by mpiexec");
        return 2;
    }
    try {
        return live::run(socket, argv[2], argv[3]);
    } catch (const std::exception &error) {
        mpiexec::say("--live: {}", error.what());
        return 1;
    }
}
