// A library to preload: system calls on files below a directory are counted, and one of them fails.
//
// Settings, all from the environment:
//   TORTURE_DIRECTORY  the directory whose files are meant
//   TORTURE_CALL       the number of the call that fails, from 1; 0 only counts
//   TORTURE_ERROR      the errno it fails with
//   TORTURE_MODE       once, ever (this call and all after it), kill (the process ends by SIGKILL before the call), swallow
//                      (a write reports success and writes nothing: a control), lie (a synchronisation reports success and does
//                      nothing: a control)
//   TORTURE_WAITS      1 where calls are counted once the process has called `torture_begin`
//   TORTURE_REPORT     the file that gets, at the end: the number of calls, whether one failed, its name
// A process that looks these functions up chooses the failing calls itself: `torture_fail`, `torture_stop`.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { ONCE, EVER, KILL, SWALLOW, LIE };

static const char *directory;
static size_t directory_length;
static long failing_call;
static int failing_errno;
static enum mode mode;
static const char *report_path;
static volatile int is_waiting;
static volatile long calls;
static volatile int failures;
static const char *volatile failed_name = "none";

__attribute__((constructor)) static void read_settings(void) {
  const char *value = getenv("TORTURE_DIRECTORY");
  if (!value) return;
  directory_length = strlen(value);
  directory = value;
  value = getenv("TORTURE_CALL");
  failing_call = value ? atol(value) : 0;
  value = getenv("TORTURE_ERROR");
  failing_errno = value ? atoi(value) : EIO;
  value = getenv("TORTURE_MODE");
  mode = !value || !strcmp(value, "once") ? ONCE
         : !strcmp(value, "ever")         ? EVER
         : !strcmp(value, "kill")         ? KILL
         : !strcmp(value, "lie")          ? LIE
                                          : SWALLOW;
  report_path = getenv("TORTURE_REPORT");
  value = getenv("TORTURE_WAITS");
  is_waiting = value && !strcmp(value, "1");
}

__attribute__((destructor)) static void write_report(void) {
  if (!directory || !report_path) return;
  char line[128];
  int length = snprintf(line, sizeof line, "%ld %d %s\n", calls, failures, failed_name);
  int file = syscall(SYS_openat, AT_FDCWD, report_path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
  if (file < 0) return;
  if (syscall(SYS_write, file, line, length) != length) _exit(70);
  syscall(SYS_close, file);
}

// From now on calls are counted, where that has waited for it.
void torture_begin(void) { is_waiting = 0; }

// From now on calls are counted from 1, and that one fails.
void torture_fail(int code, int is_for_ever, int is_swallowed, long call) {
  failing_errno = code;
  mode = is_swallowed ? SWALLOW : is_for_ever ? EVER : ONCE;
  failures = 0;
  calls = 0;
  failing_call = call;
  is_waiting = 0;
}

// From now on no call fails or is counted. Returns the name of the first that has failed, NULL where none has.
const char *torture_stop(void) {
  failing_call = 0;
  is_waiting = 1;
  return failures ? failed_name : NULL;
}

static int is_below(const char *path) {
  return path && strncmp(path, directory, directory_length) == 0;
}

static int is_file_below(int file) {
  char link[64], path[PATH_MAX];
  if (!directory || file < 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static int is_path_below(int base, const char *path) {
  if (!directory || !path) return 0;
  return path[0] == '/' ? is_below(path) : base != AT_FDCWD && is_file_below(base);
}

// Whether a call can end with an errno, by its manual page.
static int can_fail(const char *name, int code) {
  switch (code) {
  case EIO: return strcmp(name, "mmap") != 0 && strcmp(name, "flock") != 0;
  case ENOSPC:
    return !strncmp(name, "pwrite", 6) || !strncmp(name, "write", 5) || !strcmp(name, "open-create") ||
           !strcmp(name, "ftruncate") || !strncmp(name, "rename", 6) || !strcmp(name, "fallocate") ||
           !strcmp(name, "fsync") || !strcmp(name, "fdatasync") || !strncmp(name, "mkdir", 5);
  case EINTR:
    return !strncmp(name, "pwrite", 6) || !strncmp(name, "write", 5) || !strncmp(name, "open", 4) ||
           !strcmp(name, "ftruncate") || !strcmp(name, "fcntl-lock") || !strcmp(name, "flock") ||
           !strncmp(name, "pread", 5) || !strcmp(name, "read") || !strcmp(name, "fallocate") ||
           !strcmp(name, "fsync") || !strcmp(name, "fdatasync");
  case ENOMEM: return !strcmp(name, "mmap") || !strncmp(name, "open", 4) || !strncmp(name, "rename", 6);
  default: return 0;
  }
}

// Counts a call; true where it has to fail, with errno set.
static int fails(const char *name) {
  if (is_waiting) return 0;
  int is_write = !strncmp(name, "pwrite", 6) || !strncmp(name, "write", 5);
  int is_synchronisation = !strcmp(name, "fsync") || !strcmp(name, "fdatasync");
  if (mode == SWALLOW ? !is_write : mode == LIE ? !is_synchronisation : mode != KILL && !can_fail(name, failing_errno)) return 0;
  long number = __sync_add_and_fetch(&calls, 1);
  if (failing_call == 0 || (mode == EVER || mode == SWALLOW || mode == LIE ? number < failing_call : number != failing_call)) return 0;
  if (!failures) failed_name = name;
  failures = 1;
  if (mode == KILL) {
    write_report();
    syscall(SYS_kill, getpid(), SIGKILL);
  }
  errno = failing_errno;
  return 1;
}

#define NEXT(type, name) \
  static type next; \
  if (!next) next = (type)dlsym(RTLD_NEXT, name)

#define WRITE_CALL(name, arguments, values, type, size) \
  ssize_t name arguments { \
    NEXT(type, #name); \
    if (is_file_below(file) && fails(#name)) return mode == SWALLOW ? (ssize_t)(size) : -1; \
    return next values; \
  }

static size_t length_of(const struct iovec *parts, int count) {
  size_t length = 0;
  for (int index = 0; index < count; index++) length += parts[index].iov_len;
  return length;
}

typedef ssize_t (*write_type)(int, const void *, size_t);
typedef ssize_t (*pwrite_type)(int, const void *, size_t, off_t);
typedef ssize_t (*writev_type)(int, const struct iovec *, int);
typedef ssize_t (*pwritev_type)(int, const struct iovec *, int, off_t);
WRITE_CALL(write, (int file, const void *bytes, size_t size), (file, bytes, size), write_type, size)
WRITE_CALL(pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at), pwrite_type, size)
WRITE_CALL(pwrite64, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at), pwrite_type, size)
WRITE_CALL(writev, (int file, const struct iovec *parts, int count), (file, parts, count), writev_type,
           length_of(parts, count))
WRITE_CALL(pwritev, (int file, const struct iovec *parts, int count, off_t at), (file, parts, count, at),
           pwritev_type, length_of(parts, count))
WRITE_CALL(pwritev64, (int file, const struct iovec *parts, int count, off_t at), (file, parts, count, at),
           pwritev_type, length_of(parts, count))

#define FILE_CALL(result, name, shown, arguments, values) \
  result name arguments { \
    typedef result(*function_type) arguments; \
    NEXT(function_type, #name); \
    if (is_file_below(file) && fails(shown)) return mode == LIE ? (result)0 : (result)-1; \
    return next values; \
  }

FILE_CALL(ssize_t, read, "read", (int file, void *bytes, size_t size), (file, bytes, size))
FILE_CALL(ssize_t, pread, "pread", (int file, void *bytes, size_t size, off_t at), (file, bytes, size, at))
FILE_CALL(ssize_t, pread64, "pread", (int file, void *bytes, size_t size, off_t at), (file, bytes, size, at))
FILE_CALL(int, fsync, "fsync", (int file), (file))
FILE_CALL(int, fdatasync, "fdatasync", (int file), (file))
FILE_CALL(int, ftruncate, "ftruncate", (int file, off_t length), (file, length))
FILE_CALL(int, ftruncate64, "ftruncate", (int file, off_t length), (file, length))
FILE_CALL(int, flock, "flock", (int file, int operation), (file, operation))
FILE_CALL(int, fallocate, "fallocate", (int file, int kind, off_t at, off_t size), (file, kind, at, size))
FILE_CALL(int, fallocate64, "fallocate", (int file, int kind, off_t at, off_t size), (file, kind, at, size))

#define MAP_CALL(name) \
  void *name(void *address, size_t length, int protection, int flags, int file, off_t at) { \
    typedef void *(*function_type)(void *, size_t, int, int, int, off_t); \
    NEXT(function_type, #name); \
    if (is_file_below(file) && fails("mmap")) return MAP_FAILED; \
    return next(address, length, protection, flags, file, at); \
  }
MAP_CALL(mmap)
MAP_CALL(mmap64)

#define LOCK_CALL(name) \
  int name(int file, int command, ...) { \
    typedef int (*function_type)(int, int, ...); \
    NEXT(function_type, #name); \
    va_list list; \
    va_start(list, command); \
    void *argument = va_arg(list, void *); \
    va_end(list); \
    int is_lock = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW; \
    if (is_file_below(file) && fails(is_lock ? "fcntl-lock" : "fcntl")) return -1; \
    return next(file, command, argument); \
  }
LOCK_CALL(fcntl)
LOCK_CALL(fcntl64)

#define OPEN_CALL(name, base, parameters, values) \
  int name parameters { \
    typedef int (*function_type) parameters; \
    NEXT(function_type, #name); \
    mode_t permissions = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
      va_list list; \
      va_start(list, flags); \
      permissions = va_arg(list, mode_t); \
      va_end(list); \
    } \
    if (is_path_below(base, path) && fails(flags & O_CREAT ? "open-create" : "open")) return -1; \
    return next values; \
  }
OPEN_CALL(open, AT_FDCWD, (const char *path, int flags, ...), (path, flags, permissions))
OPEN_CALL(open64, AT_FDCWD, (const char *path, int flags, ...), (path, flags, permissions))
OPEN_CALL(openat, base, (int base, const char *path, int flags, ...), (base, path, flags, permissions))
OPEN_CALL(openat64, base, (int base, const char *path, int flags, ...), (base, path, flags, permissions))

#define PATH_CALL(name, shown, base, path, parameters, values) \
  int name parameters { \
    typedef int (*function_type) parameters; \
    NEXT(function_type, #name); \
    if (is_path_below(base, path) && fails(shown)) return -1; \
    return next values; \
  }
PATH_CALL(rename, "rename", AT_FDCWD, to, (const char *from, const char *to), (from, to))
PATH_CALL(renameat, "rename", base, to, (int source, const char *from, int base, const char *to), (source, from, base, to))
PATH_CALL(renameat2, "rename", base, to, (int source, const char *from, int base, const char *to, unsigned flags),
          (source, from, base, to, flags))
PATH_CALL(link, "link", AT_FDCWD, to, (const char *from, const char *to), (from, to))
PATH_CALL(linkat, "link", base, to, (int source, const char *from, int base, const char *to, int flags),
          (source, from, base, to, flags))
PATH_CALL(unlink, "unlink", AT_FDCWD, path, (const char *path), (path))
PATH_CALL(unlinkat, "unlink", base, path, (int base, const char *path, int flags), (base, path, flags))
PATH_CALL(mkdir, "mkdir", AT_FDCWD, path, (const char *path, mode_t permissions), (path, permissions))
PATH_CALL(mkdirat, "mkdir", base, path, (int base, const char *path, mode_t permissions), (base, path, permissions))

// The library exchanges and publishes names by way of `syscall`.
long syscall(long number, ...) {
  typedef long (*function_type)(long, ...);
  NEXT(function_type, "syscall");
  va_list list;
  va_start(list, number);
  long values[6];
  for (int index = 0; index < 6; index++) values[index] = va_arg(list, long);
  va_end(list);
  if (number == SYS_renameat2)
    return renameat2(values[0], (const char *)values[1], values[2], (const char *)values[3], values[4]);
  return next(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}
