#ifndef SANITIZER_OPTIONS_H
#define SANITIZER_OPTIONS_H

/* Whether the options of the sanitizers are part of the process. */
int sanitizer_options_are_linked(void);

#endif
