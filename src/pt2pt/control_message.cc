#include "pt2pt/control_message.h"

#include "comm/span.h"
#include "fabric/fabric.h"
#include "wireup/wireup.h"

namespace thrum {

void send_control(NodeProcess process, const ControlHeader &header) {
    (void)fabric_send(process, Channel::PointToPoint, MessageKind::PointToPointControl, &header,
                      sizeof header);
}

NodeProcess process_number(const Process &process) {
    return node_process_of(process.number);
}

} // namespace thrum
