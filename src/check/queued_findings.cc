#include "check/queued_findings.h"

#include "base/spinlock.h"
#include "check/finding.h"

#include <set>

namespace thrum {

std::atomic<bool> findings_are_queued{false};

namespace {

struct Queue {
    SpinLock lock; // guards the other members
    std::set<std::string> known, waiting;
};

Queue &queue() {
    static auto *texts = new Queue; // never destroyed: used to the end of the job
    return *texts;
}

} // namespace

void queue_finding(const std::string &text) {
    LockGuard guard(queue().lock);
    if (!queue().known.insert(text).second)
        return;
    queue().waiting.insert(text);
    findings_are_queued.store(true, std::memory_order_relaxed);
}

void report_queued_findings() {
    std::set<std::string> texts;
    {
        LockGuard guard(queue().lock);
        findings_are_queued.store(false, std::memory_order_relaxed);
        texts.swap(queue().waiting);
    }
    for (const std::string &text : texts)
        report_finding(text);
}

} // namespace thrum
