#ifndef FIEF_RE2_H
#define FIEF_RE2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A compiled regular expression. Any thread may use it. */
typedef struct fief_re2 fief_re2;

/* Compiles a pattern in UTF-8; returns NULL if RE2 refuses it, or if it needs more than `memory` bytes. */
fief_re2 *fief_re2_compile(const char *pattern, size_t length, bool ignores_case, int64_t memory);

/* Returns 1 if any part of a text in UTF-8 matches and 0 otherwise, in time that is linear in its length;
   -1 without memory. */
int fief_re2_matches(const fief_re2 *expression, const char *text, size_t length);

/* Returns the number of instructions of the compiled expression. */
int fief_re2_size(const fief_re2 *expression);

void fief_re2_free(fief_re2 *expression);

/* Returns the first occurrence of a part in a text, or NULL, in time that is linear in their lengths. */
const char *fief_re2_find(const char *text, size_t length, const char *part, size_t part_length);

#ifdef __cplusplus
}
#endif

#endif
