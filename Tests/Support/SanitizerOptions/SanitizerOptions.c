#include "SanitizerOptions.h"

int sanitizer_options_are_linked(void) { return 1; }
