#include "http.h"

#include "start/ending.h"

#include <algorithm>
#include <cerrno>
#include <fmt/core.h>
#include <poll.h>
#include <sstream>
#include <stdexcept>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace live {
namespace {

using mpiexec::now_s;

constexpr size_t request_bytes_max = 8192, connections_max = 64;
constexpr size_t rest_bytes_max = size_t{1} << 20; // that a client sends after its request
constexpr double connection_s = 10;                // for a request and its answer

const char *name_of(int status) {
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 431:
        return "Request Header Fields Too Large";
    default:
        return "Internal Server Error";
    }
}

std::string text_of(const Response &response, bool has_body) {
    return fmt::format(
               "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
               "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
               "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
               "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; "
               "script-src 'unsafe-inline'; connect-src 'self'; img-src data:; "
               "base-uri 'none'; form-action 'none'\r\n\r\n",
               response.status, name_of(response.status), response.type, response.body.size()) +
           (has_body ? response.body : "");
}

Response refusal(int status, const std::string &sentence) {
    return {status, "text/plain; charset=utf-8", sentence + "\n"};
}

// Compares in a time that does not tell where the first difference is.
bool is_same(std::string_view a, std::string_view b) {
    unsigned difference = a.size() != b.size();
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

std::map<std::string, std::string> parse_query(const std::string &text) {
    std::map<std::string, std::string> query;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, '&');)
        query[part.substr(0, part.find('='))] =
            part.find('=') == std::string::npos ? "" : part.substr(part.find('=') + 1);
    return query;
}

} // namespace

std::string make_token() {
    unsigned char bytes[16];
    if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
        throw std::runtime_error("cannot read random numbers for the token");
    std::string token;
    for (const unsigned char byte : bytes)
        token += fmt::format("{:02x}", byte);
    return token;
}

HttpServer::HttpServer(int listening, std::string token, Handler handler)
    : listening_(listening), token_(std::move(token)), handler_(std::move(handler)) {}

HttpServer::~HttpServer() {
    for (const Connection &connection : connections_)
        ::close(connection.socket);
}

void HttpServer::accept_new() {
    const int socket = ::accept4(listening_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0)
        return;
    if (connections_.size() >= connections_max) { // the oldest is closed
        ::close(connections_.front().socket);
        connections_.pop_front();
    }
    connections_.push_back({socket, "", "", 0, now_s() + connection_s});
}

std::string HttpServer::answer_to(const std::string &head) {
    std::istringstream words(head.substr(0, head.find("\r\n")));
    std::string method, target, version;
    if (!(words >> method >> target >> version) || !version.starts_with("HTTP/1."))
        return text_of(refusal(400, "This is not a request of HTTP/1.1."), true);
    const bool has_body = method != "HEAD";
    const size_t token_end = target.find('/', 1);
    if (target.empty() || target[0] != '/' || token_end == std::string::npos ||
        !is_same(std::string_view(target).substr(1, token_end - 1), token_))
        return text_of(refusal(403, "The address needs the token that mpiexec has printed."),
                       has_body);
    if (method != "GET" && method != "POST" && method != "HEAD")
        return text_of(refusal(405, "Only GET, HEAD and POST are answered."), has_body);
    const size_t mark = target.find('?');
    Request request{
        method == "HEAD" ? "GET" : method, target.substr(token_end, mark - token_end), {}};
    if (mark != std::string::npos)
        request.query = parse_query(target.substr(mark + 1));
    try {
        return text_of(handler_(request), has_body);
    } catch (const std::exception &error) {
        return text_of(refusal(500, error.what()), has_body);
    }
}

bool HttpServer::advance(Connection &connection) {
    char buffer[4096];
    while (connection.answer.empty()) {
        const ssize_t n = ::recv(connection.socket, buffer, sizeof buffer, 0);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        if (n == 0) // the client has gone
            return false;
        connection.request.append(buffer, static_cast<size_t>(n));
        if (const size_t end = connection.request.find("\r\n\r\n"); end != std::string::npos)
            connection.answer = answer_to(connection.request.substr(0, end + 2));
        else if (connection.request.size() > request_bytes_max)
            connection.answer = text_of(refusal(431, "The request is too long."), true);
    }
    while (connection.sent < connection.answer.size()) {
        const ssize_t n = ::send(connection.socket, connection.answer.data() + connection.sent,
                                 connection.answer.size() - connection.sent, MSG_NOSIGNAL);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        connection.sent += static_cast<size_t>(n);
    }
    // What the client has still sent must not turn the end into a reset before it has read the
    // answer. Nobody listens to a client that goes on and on.
    ::shutdown(connection.socket, SHUT_WR);
    for (size_t read = 0; read < rest_bytes_max; read += sizeof buffer)
        if (::recv(connection.socket, buffer, sizeof buffer, 0) <= 0)
            break;
    return false;
}

bool HttpServer::serve(int timeout_ms, int other) {
    std::vector<pollfd> waiting{{listening_, POLLIN, 0}, {other, POLLIN, 0}};
    for (const Connection &connection : connections_)
        waiting.push_back({connection.socket,
                           static_cast<short>(connection.answer.empty() ? POLLIN : POLLOUT), 0});
    if (::poll(waiting.data(), waiting.size(), timeout_ms) > 0) {
        size_t at = 2;
        for (Connection &connection : connections_)
            if (waiting[at++].revents && !advance(connection))
                connection.deadline_s = 0;
        if (waiting[0].revents)
            accept_new();
    }
    std::erase_if(connections_, [](const Connection &connection) {
        const bool is_over = connection.deadline_s < now_s();
        if (is_over)
            ::close(connection.socket);
        return is_over;
    });
    return waiting[1].revents != 0;
}

} // namespace live
