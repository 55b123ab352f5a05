// Makes text and data of an image, or of a rank's copy of a plug-in, from a template. Internal to
// image/.
#pragma once
#include "image/template.h"

namespace thrum {

// Maps the text at `base`. Returns 0 or an errno.
int map_text(const Template &image_template, char *base);
// Gives the data at `base` its initial values; the fixups come after that. `copy_only`: valgrind's
// mappings are there and must stay, so nothing is mapped copy-on-write. Returns 0 or an errno.
int fill_data(const Template &image_template, char *base, bool copy_only = false);

} // namespace thrum
