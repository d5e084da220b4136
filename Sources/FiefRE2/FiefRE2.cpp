#include "FiefRE2.h"

#include <cstring>
#include <re2/re2.h>

struct fief_re2 {
  re2::RE2 expression;

  fief_re2(const re2::StringPiece &pattern, const re2::RE2::Options &options) : expression(pattern, options) {}
};

fief_re2 *fief_re2_compile(const char *pattern, size_t length, bool ignores_case, int64_t memory) {
  try {
    re2::RE2::Options options(re2::RE2::Quiet);
    options.set_case_sensitive(!ignores_case);
    options.set_never_capture(true);
    options.set_max_mem(memory);
    fief_re2 *result = new fief_re2(re2::StringPiece(pattern, length), options);
    if (result->expression.ok()) return result;
    delete result;
  } catch (...) {
    // An exception must not reach Swift.
  }
  return nullptr;
}

int fief_re2_matches(const fief_re2 *expression, const char *text, size_t length) {
  try {
    return re2::RE2::PartialMatch(re2::StringPiece(text, length), expression->expression) ? 1 : 0;
  } catch (...) {
    return -1;
  }
}

int fief_re2_size(const fief_re2 *expression) { return expression->expression.ProgramSize(); }

void fief_re2_free(fief_re2 *expression) { delete expression; }

const char *fief_re2_find(const char *text, size_t length, const char *part, size_t part_length) {
  return static_cast<const char *>(memmem(text, length, part, part_length));
}
