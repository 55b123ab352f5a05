#include "pt2pt/probers.h"

namespace thrum {

void wake_all_probers(Mailbox &mailbox) {
    while (Prober *prober = mailbox.probers) {
        mailbox.probers = prober->next;
        prober->found.complete(); // its stack frame may be gone
    }
}

void wake_probers(Mailbox &mailbox, const Envelope &envelope) {
    for (Prober **link = &mailbox.probers; Prober *prober = *link;) {
        if (!prober->envelope.accepts(envelope)) {
            link = &prober->next;
            continue;
        }
        *link = prober->next;
        prober->found.complete(); // its stack frame may be gone
    }
}

} // namespace thrum
