// A small server of HTTP/1.1 for one user of this machine: short requests, one for each connection,
// answered by the calling thread.
//
// Invariants
// 1. It listens where the given socket does: on 127.0.0.1.
// 2. A request whose path does not begin with the token is refused, whatever it is.
// 3. No client keeps the server waiting: sockets do not block, requests and the time for them are
//    limited, and so are connections.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <string>

namespace live {

struct Request {
    std::string method;                       // "GET", "POST"
    std::string path;                         // behind the token: "/state"
    std::map<std::string, std::string> query; // not decoded: only numbers are used
};

struct Response {
    int status = 200;
    std::string type = "application/json";
    std::string body;
};

class HttpServer {
public:
    using Handler = std::function<Response(const Request &)>;

    // `listening` is a socket that listens.
    HttpServer(int listening, std::string token, Handler handler);
    ~HttpServer();
    HttpServer(const HttpServer &) = delete;
    HttpServer &operator=(const HttpServer &) = delete;

    // Serves for at most `timeout_ms`, or until the descriptor `other` can be read (-1: none).
    // Returns whether it can be read.
    bool serve(int timeout_ms, int other);

    // Returns whether an answer is still being sent.
    bool is_busy() const { return !connections_.empty(); }

private:
    struct Connection {
        int socket = -1;
        std::string request, answer;
        size_t sent = 0;
        double deadline_s = 0;
    };

    void accept_new();
    bool advance(Connection &connection); // returns false when it is done
    std::string answer_to(const std::string &head);

    int listening_;
    std::string token_;
    Handler handler_;
    std::deque<Connection> connections_;
};

// Returns a token of 128 random bits.
std::string make_token();

} // namespace live
