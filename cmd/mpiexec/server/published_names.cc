// The table of published names, and the callbacks of PMIx that use it (server/published_names.h).
//
// On one host a callback answers from the table. On several, it sends a question to mpiexec and
// returns; the answer completes it later. Callbacks run on libpmix's thread and answers on the main
// one, hence the two mutexes.
#include "server/published_names.h"

#include "server/complete_message.h"
#include "server/name_service.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace mpiexec {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>; // names and values

enum class Operation { Publish, LookUp, Unpublish };

// One request. Names have values in Publish only.
struct Question {
    Operation operation = Operation::Publish;
    Pairs pairs; // values are of Publish
};

// The result of a question.
struct Answer {
    pmix_status_t status = PMIX_SUCCESS;
    Pairs found; // of LookUp
};

void put_pairs(thrum::Encoder &encoder, const Pairs &pairs) {
    encoder.put_list(pairs, [&](const auto &pair) {
        encoder.put_text(pair.first);
        encoder.put_text(pair.second);
    });
}

Pairs take_pairs(thrum::Decoder &decoder) {
    return decoder.take_list([&] {
        std::string name = decoder.take_text();
        return std::pair(std::move(name), decoder.take_text());
    });
}

// --- The table.

std::mutex table_mutex; // guards it

// Never destroyed: libpmix's thread may use it while the process exits.
std::map<std::string, std::string> &table() {
    static auto *the_table = new std::map<std::string, std::string>;
    return *the_table;
}

// Adds all names, or none if one is published already.
pmix_status_t publish(const Pairs &pairs) {
    for (const auto &[name, value] : pairs)
        if (table().contains(name))
            return PMIX_ERR_DUPLICATE_KEY;
    table().insert(pairs.begin(), pairs.end());
    return PMIX_SUCCESS;
}

pmix_status_t look_up(const Pairs &pairs, Pairs &found) {
    for (const auto &[name, nothing] : pairs)
        if (auto entry = table().find(name); entry != table().end())
            found.push_back(*entry);
    return found.empty() ? PMIX_ERR_NOT_FOUND : PMIX_SUCCESS;
}

// Removes those names that are there.
pmix_status_t unpublish(const Pairs &pairs) {
    bool all = true;
    for (const auto &[name, nothing] : pairs)
        all &= table().erase(name) == 1;
    return all ? PMIX_SUCCESS : PMIX_ERR_NOT_FOUND;
}

Answer answer(const Question &question) {
    std::lock_guard guard(table_mutex);
    Answer answer;
    switch (question.operation) {
    case Operation::Publish:
        answer.status = publish(question.pairs);
        break;
    case Operation::LookUp:
        answer.status = look_up(question.pairs, answer.found);
        break;
    case Operation::Unpublish:
        answer.status = unpublish(question.pairs);
        break;
    }
    return answer;
}

// --- libpmix's side.

// The client that waits for an answer: one of both functions is set.
struct Asker {
    pmix_op_cbfunc_t done = nullptr;
    pmix_lookup_cbfunc_t found = nullptr;
    void *argument = nullptr;
};

void (*ask_elsewhere)(int, const std::string &) = nullptr; // set once, before anybody asks
std::mutex askers_mutex;                                   // guards the next
std::map<int, Asker> askers;
int last_question = 0;

// Completes a client's request. libpmix copies the data.
void give(const Asker &asker, Answer answer) {
    if (asker.done)
        return asker.done(answer.status, asker.argument);
    std::vector<pmix_pdata_t> data;
    for (auto &[name, value] : answer.found) {
        pmix_pdata_t one{};
        snprintf(one.proc.nspace, sizeof one.proc.nspace, "thrum");
        snprintf(one.key, sizeof one.key, "%s", name.c_str());
        one.value.type = PMIX_STRING;
        one.value.data.string = value.data();
        data.push_back(one);
    }
    asker.found(answer.status, data.data(), data.size(), asker.argument);
}

// Answers from the table, or asks mpiexec. The asker is recorded before the question is sent,
// because the answer may come at once.
pmix_status_t ask(const Question &question, const Asker &asker) {
    if (!ask_elsewhere) {
        Answer known = answer(question);
        const pmix_status_t status = known.status;
        if (status == PMIX_SUCCESS && asker.done)
            return PMIX_OPERATION_SUCCEEDED;
        if (status == PMIX_SUCCESS)
            give(asker, std::move(known));
        return status;
    }
    int number;
    {
        std::lock_guard guard(askers_mutex);
        number = ++last_question;
        askers[number] = asker;
    }
    thrum::Encoder encoder;
    encoder.put_number(static_cast<int>(question.operation));
    put_pairs(encoder, question.pairs);
    ask_elsewhere(number, encoder.text());
    return PMIX_SUCCESS;
}

Pairs names_in(char **keys) {
    Pairs pairs;
    for (; keys && *keys; ++keys)
        pairs.emplace_back(*keys, "");
    return pairs;
}

// Callback for PMIx_Publish. Attributes of PMIx itself, in the same array, are left out.
pmix_status_t publish_asked(const pmix_proc_t *, const pmix_info_t infos[], size_t count,
                            pmix_op_cbfunc_t done, void *argument) {
    Question question{Operation::Publish, {}};
    for (size_t i = 0; i < count; ++i)
        if (infos[i].value.type == PMIX_STRING && strncmp(infos[i].key, "pmix.", 5) != 0)
            question.pairs.emplace_back(infos[i].key, infos[i].value.data.string);
    return ask(question, {done, nullptr, argument});
}

pmix_status_t look_up_asked(const pmix_proc_t *, char **keys, const pmix_info_t[], size_t,
                            pmix_lookup_cbfunc_t done, void *argument) {
    return ask({Operation::LookUp, names_in(keys)}, {nullptr, done, argument});
}

pmix_status_t unpublish_asked(const pmix_proc_t *, char **keys, const pmix_info_t[], size_t,
                              pmix_op_cbfunc_t done, void *argument) {
    return ask({Operation::Unpublish, names_in(keys)}, {done, nullptr, argument});
}

} // namespace

void serve_names(pmix_server_module_t &module,
                 void (*function)(int number, const std::string &question)) {
    ask_elsewhere = function;
    module.publish = publish_asked;
    module.lookup = look_up_asked;
    module.unpublish = unpublish_asked;
}

// The asker is removed first, so that a second answer is ignored. libpmix is called without the
// mutex.
void finish_question_of_names(int number, const std::string &text) {
    Asker asker;
    {
        std::lock_guard guard(askers_mutex);
        auto found = askers.find(number);
        if (found == askers.end())
            return;
        asker = found->second;
        askers.erase(found);
    }
    thrum::Decoder decoder(text);
    Answer answer;
    answer.status = static_cast<pmix_status_t>(decoder.take_number());
    answer.found = take_pairs(decoder);
    require_complete(decoder);
    give(asker, std::move(answer));
}

std::string answer_about_names(const std::string &text) {
    thrum::Decoder decoder(text);
    Question question;
    question.operation = static_cast<Operation>(decoder.take_number());
    question.pairs = take_pairs(decoder);
    require_complete(decoder);
    const Answer known = answer(question);
    thrum::Encoder reply;
    reply.put_number(known.status);
    put_pairs(reply, known.found);
    return reply.text();
}

} // namespace mpiexec
