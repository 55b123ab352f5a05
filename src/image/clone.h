// The parts of making an image that plug-ins use, too. Internal to image/.
#pragma once
#include "image/template.h"

namespace thrum {

// Make text and data of an image, or of a part of one, at `base`; return 0 or the reason, an errno.
int map_text(const Template &image_template, char *base);
// copy_only: nothing of it may be mapped.
int fill_data(const Template &image_template, char *base, bool copy_only = false);

} // namespace thrum
