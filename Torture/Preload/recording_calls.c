// A library to preload: writes, synchronisations and changes of names below a directory are recorded in a file, in their order.
//
// Settings, all from the environment:
//   TORTURE_DIRECTORY  the directory whose files are meant; it exists
//   TORTURE_RECORD     the file of the record
//
// The record is a sequence of entries: the struct `entry` below, then both paths, then the data. Lines that the process writes to
// its standard output are recorded as well, so that a reader knows what was acknowledged when. A file is known by its inode; an entry
// with CREATED begins a new file, also where the inode had another before.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum operation { OPENED = 1, WRITTEN, RESIZED, SYNCHRONISED, RENAMED, UNLINKED, DIRECTORY_MADE, LINKED, PRINTED, UNKNOWN };
// SYNCHRONOUS: the write is durable when it returns (O_DSYNC, O_SYNC). EXCHANGED: both names exist and change places.
enum { CREATED = 1, TRUNCATED = 2, SYNCHRONOUS = 4, EXCHANGED = 8 };

struct entry {
  uint32_t operation, flags;
  uint64_t file, offset, length;
  uint32_t path_length, other_length;
};

static const char *directory;
static size_t directory_length;
static int record = -1;
// Held during a call and its entry: the order of the entries is the order of the calls.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(const void *bytes, size_t size) {
  if (syscall(SYS_write, record, bytes, size) != (ssize_t)size) _exit(71);
}

static void add(enum operation operation, uint32_t flags, uint64_t file, off_t offset, const char *path, const char *other,
                const struct iovec *parts, int count, size_t length) {
  struct entry entry = {operation, flags, file, offset, length, path ? strlen(path) : 0, other ? strlen(other) : 0};
  put(&entry, sizeof entry);
  if (path) put(path, entry.path_length);
  if (other) put(other, entry.other_length);
  for (int index = 0; index < count && length > 0; index++) {
    size_t size = parts[index].iov_len < length ? parts[index].iov_len : length;
    put(parts[index].iov_base, size);
    length -= size;
  }
}

static uint64_t inode_of(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? status.st_ino : 0;
}

static uint64_t inode_at(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? status.st_ino : 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *value = getenv("TORTURE_DIRECTORY"), *path = getenv("TORTURE_RECORD");
  if (!value || !path) return;
  int file = syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_TRUNC | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) _exit(71);
  // A high number, out of the way of what the process expects of its first files.
  record = fcntl(file, F_DUPFD_CLOEXEC, 500);
  syscall(SYS_close, file);
  if (record < 0) _exit(71);
  directory_length = strlen(value);
  directory = value;
  add(DIRECTORY_MADE, 0, inode_at(value), 0, value, NULL, NULL, 0, 0);
}

static int is_below(const char *path) {
  return directory && path && strncmp(path, directory, directory_length) == 0 &&
         (path[directory_length] == '/' || path[directory_length] == 0);
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

// The whole path, or NULL where it is not below the directory.
static const char *whole(int base, const char *path, char *buffer) {
  if (!directory || !path) return NULL;
  if (path[0] == '/') return is_below(path) ? path : NULL;
  if (base == AT_FDCWD) return NULL;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", base);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, PATH_MAX - 1);
  if (length <= 0 || length + strlen(path) + 2 > PATH_MAX) return NULL;
  buffer[length] = '/';
  strcpy(buffer + length + 1, path);
  return is_below(buffer) ? buffer : NULL;
}

#define NEXT(type, name) \
  static type next; \
  if (!next) next = (type)dlsym(RTLD_NEXT, name)

static uint32_t synchronous(int file) { return fcntl(file, F_GETFL) & O_DSYNC ? SYNCHRONOUS : 0; }

#define WRITE_CALL(name, arguments, values, type, parts, count, place) \
  ssize_t name arguments { \
    NEXT(type, #name); \
    int is_output = file == 1; \
    if (!directory || (!is_output && !is_file_below(file))) return next values; \
    pthread_mutex_lock(&lock); \
    ssize_t written = next values; \
    int code = errno; \
    if (written > 0) \
      add(is_output ? PRINTED : WRITTEN, is_output ? 0 : synchronous(file), is_output ? 0 : inode_of(file), place, NULL, NULL, \
          parts, count, written); \
    pthread_mutex_unlock(&lock); \
    errno = code; \
    return written; \
  }
#define ONE (&(struct iovec){(void *)bytes, size})
#define CURRENT (is_output ? 0 : lseek(file, 0, SEEK_CUR) - written)

typedef ssize_t (*write_type)(int, const void *, size_t);
typedef ssize_t (*pwrite_type)(int, const void *, size_t, off_t);
typedef ssize_t (*writev_type)(int, const struct iovec *, int);
typedef ssize_t (*pwritev_type)(int, const struct iovec *, int, off_t);
WRITE_CALL(write, (int file, const void *bytes, size_t size), (file, bytes, size), write_type, ONE, 1, CURRENT)
WRITE_CALL(pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at), pwrite_type, ONE, 1, at)
WRITE_CALL(pwrite64, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at), pwrite_type, ONE, 1, at)
WRITE_CALL(writev, (int file, const struct iovec *parts, int count), (file, parts, count), writev_type, parts, count, CURRENT)
WRITE_CALL(pwritev, (int file, const struct iovec *parts, int count, off_t at), (file, parts, count, at), pwritev_type, parts,
           count, at)
WRITE_CALL(pwritev64, (int file, const struct iovec *parts, int count, off_t at), (file, parts, count, at), pwritev_type, parts,
           count, at)

#define FILE_CALL(result, name, arguments, values, operation, place) \
  result name arguments { \
    typedef result(*function_type) arguments; \
    NEXT(function_type, #name); \
    if (!is_file_below(file)) return next values; \
    pthread_mutex_lock(&lock); \
    result end = next values; \
    int code = errno; \
    if (end >= 0) add(operation, 0, inode_of(file), place, NULL, NULL, NULL, 0, 0); \
    pthread_mutex_unlock(&lock); \
    errno = code; \
    return end; \
  }
FILE_CALL(int, fsync, (int file), (file), SYNCHRONISED, 0)
FILE_CALL(int, fdatasync, (int file), (file), SYNCHRONISED, 0)
FILE_CALL(int, ftruncate, (int file, off_t length), (file, length), RESIZED, length)
FILE_CALL(int, ftruncate64, (int file, off_t length), (file, length), RESIZED, length)
// What the reader of the record cannot follow.
FILE_CALL(int, fallocate, (int file, int kind, off_t at, off_t size), (file, kind, at, size), UNKNOWN, 0)
FILE_CALL(int, fallocate64, (int file, int kind, off_t at, off_t size), (file, kind, at, size), UNKNOWN, 0)
FILE_CALL(int, posix_fallocate, (int file, off_t at, off_t size), (file, at, size), UNKNOWN, 0)
FILE_CALL(ssize_t, sendfile, (int file, int from, off_t *at, size_t size), (file, from, at, size), UNKNOWN, 0)
FILE_CALL(ssize_t, sendfile64, (int file, int from, off_t *at, size_t size), (file, from, at, size), UNKNOWN, 0)

ssize_t copy_file_range(int from, off64_t *from_at, int file, off64_t *at, size_t size, unsigned flags) {
  typedef ssize_t (*function_type)(int, off64_t *, int, off64_t *, size_t, unsigned);
  NEXT(function_type, "copy_file_range");
  // Callers have another way where a system has no such call.
  if (is_file_below(file)) { errno = ENOSYS; return -1; }
  return next(from, from_at, file, at, size, flags);
}

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
    char buffer[PATH_MAX]; \
    const char *place = whole(base, path, buffer); \
    if (!place || !(flags & (O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY)))) return next values; \
    pthread_mutex_lock(&lock); \
    int is_unnamed = (flags & O_TMPFILE) == O_TMPFILE; \
    int is_created = is_unnamed || (flags & O_CREAT && access(place, F_OK) != 0); \
    int file = next values; \
    int code = errno; \
    if (file >= 0 && (is_created || flags & O_TRUNC)) \
      add(OPENED, (is_created ? CREATED : 0) | (flags & O_TRUNC ? TRUNCATED : 0), inode_of(file), 0, is_unnamed ? NULL : place, \
          NULL, NULL, 0, 0); \
    pthread_mutex_unlock(&lock); \
    errno = code; \
    return file; \
  }
OPEN_CALL(open, AT_FDCWD, (const char *path, int flags, ...), (path, flags, permissions))
OPEN_CALL(open64, AT_FDCWD, (const char *path, int flags, ...), (path, flags, permissions))
OPEN_CALL(openat, base, (int base, const char *path, int flags, ...), (base, path, flags, permissions))
OPEN_CALL(openat64, base, (int base, const char *path, int flags, ...), (base, path, flags, permissions))

#define NAME_CALL(name, parameters, values, first, second, operation, shown, inode) \
  int name parameters { \
    typedef int (*function_type) parameters; \
    NEXT(function_type, #name); \
    char buffer[PATH_MAX], other_buffer[PATH_MAX]; \
    const char *place = first, *other = second; \
    (void)other_buffer; \
    if (!place) return next values; \
    pthread_mutex_lock(&lock); \
    int end = next values; \
    int code = errno; \
    if (end == 0) add(operation, shown, inode, 0, place, other, NULL, 0, 0); \
    pthread_mutex_unlock(&lock); \
    errno = code; \
    return end; \
  }
NAME_CALL(rename, (const char *from, const char *to), (from, to), whole(AT_FDCWD, from, buffer), whole(AT_FDCWD, to, other_buffer),
          RENAMED, 0, 0)
NAME_CALL(renameat, (int source, const char *from, int base, const char *to), (source, from, base, to),
          whole(source, from, buffer), whole(base, to, other_buffer), RENAMED, 0, 0)
NAME_CALL(renameat2, (int source, const char *from, int base, const char *to, unsigned flags), (source, from, base, to, flags),
          whole(source, from, buffer), whole(base, to, other_buffer), RENAMED, flags & RENAME_EXCHANGE ? EXCHANGED : 0, 0)
NAME_CALL(link, (const char *from, const char *to), (from, to), whole(AT_FDCWD, to, buffer), NULL, LINKED, 0, inode_at(place))
NAME_CALL(linkat, (int source, const char *from, int base, const char *to, int flags), (source, from, base, to, flags),
          whole(base, to, buffer), NULL, LINKED, 0, inode_at(place))
NAME_CALL(unlink, (const char *path), (path), whole(AT_FDCWD, path, buffer), NULL, UNLINKED, 0, 0)
NAME_CALL(rmdir, (const char *path), (path), whole(AT_FDCWD, path, buffer), NULL, UNLINKED, 0, 0)
NAME_CALL(unlinkat, (int base, const char *path, int flags), (base, path, flags), whole(base, path, buffer), NULL, UNLINKED, 0, 0)
NAME_CALL(mkdir, (const char *path, mode_t permissions), (path, permissions), whole(AT_FDCWD, path, buffer), NULL, DIRECTORY_MADE,
          0, inode_at(place))
NAME_CALL(mkdirat, (int base, const char *path, mode_t permissions), (base, path, permissions), whole(base, path, buffer), NULL,
          DIRECTORY_MADE, 0, inode_at(place))

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
