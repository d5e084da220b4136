#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <lmdb.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Threads of the tests call these functions at any time. */
static _Atomic(enum fault) armed;

static atomic_int syncs;

static atomic_int resizes;

void faults_arm(enum fault fault) {
  syncs = 0;
  resizes = 0;
  armed = fault;
}

int faults_syncs(void) { return syncs; }

int faults_resizes(void) { return resizes; }

static atomic_long limit;

static atomic_int limited;

void faults_limit(long bytes) {
  limited = 0;
  limit = bytes;
}

int faults_limited(void) { return limited; }

int faults_fork(int (*body)(void *), void *context) {
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) _exit(body(context));
  int status = 0;
  if (waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int version[3];

void faults_version(int major, int minor, int patch) {
  version[0] = major;
  version[1] = minor;
  version[2] = patch;
}

typedef void (*body_type)(void);

static _Atomic(body_type) before_resize;

void faults_before_resize(void (*body)(void)) { before_resize = body; }

int faults_make_duplicates(const char *directory) {
  MDB_env *environment;
  MDB_txn *transaction;
  MDB_dbi items;
  mkdir(directory, 0700);
  int code = mdb_env_create(&environment);
  if (code) return code;
  mdb_env_set_maxdbs(environment, 4);
  if ((code = mdb_env_open(environment, directory, 0, 0600))) return code;
  if ((code = mdb_txn_begin(environment, NULL, 0, &transaction))) return code;
  if ((code = mdb_dbi_open(transaction, "items", MDB_CREATE | MDB_DUPSORT, &items))) return code;
  for (char number = 'a'; number < 'f'; number++) {
    MDB_val key = {3, "key"}, value = {1, &number};
    if ((code = mdb_put(transaction, items, &key, &value, 0))) return code;
  }
  code = mdb_txn_commit(transaction);
  mdb_env_close(environment);
  return code;
}

#ifdef __linux__
#include <sys/vfs.h>

/* The program's own definitions come before those of the C library, for liblmdb too. */

/* `real` is the definition that a function replaces; each thread that is among the first looks it up. */
#define REAL(result, name, ...)                                                 \
  typedef result (*real_type)(__VA_ARGS__);                                     \
  static _Atomic(real_type) found;                                              \
  real_type real = atomic_load_explicit(&found, memory_order_relaxed);          \
  if (!real) {                                                                  \
    real = (real_type)dlsym(RTLD_NEXT, name);                                   \
    atomic_store_explicit(&found, real, memory_order_relaxed);                  \
  }

char *mdb_version(int *major, int *minor, int *patch) {
  REAL(char *, "mdb_version", int *, int *, int *)
  char *text = real(major, minor, patch);
  if (version[0] + version[1] + version[2] > 0) {
    *major = version[0];
    *minor = version[1];
    *patch = version[2];
  }
  return text;
}

int mdb_env_set_mapsize(MDB_env *environment, size_t size) {
  REAL(int, "mdb_env_set_mapsize", MDB_env *, size_t)
  body_type body = atomic_exchange(&before_resize, NULL);
  if (body) body();
  int descriptor;
  /* An environment that is not open yet has no descriptor. */
  if ((armed == FAULT_RESIZING || armed == FAULT_RESIZING_LOST) &&
      mdb_env_get_fd(environment, &descriptor) == 0 && descriptor >= 0) {
    armed = armed == FAULT_RESIZING_LOST ? FAULT_OPENING : FAULT_NONE;
    resizes++;
    return ENOMEM;
  }
  return real(environment, size);
}

int mprotect(void *start, size_t size, int protection) {
  REAL(int, "mprotect", void *, size_t, int)
  if (armed == FAULT_PROTECTING && protection & PROT_WRITE) {
    errno = ENOMEM;
    return -1;
  }
  return real(start, size, protection);
}

static void *map(void *start, size_t size, int protection, int flags, int descriptor, off_t offset) {
  REAL(void *, "mmap", void *, size_t, int, int, int, off_t)
  int is_refused = armed == FAULT_MAPPING || (armed > FAULT_MAPPING && protection & PROT_WRITE);
  if (is_refused && size >= 1 << 20 && flags & MAP_PRIVATE && flags & MAP_NORESERVE) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return real(start, size, protection, flags, descriptor, offset);
}

void *mmap(void *start, size_t size, int protection, int flags, int descriptor, off_t offset) {
  return map(start, size, protection, flags, descriptor, offset);
}

void *mmap64(void *start, size_t size, int protection, int flags, int descriptor, off64_t offset) {
  return map(start, size, protection, flags, descriptor, offset);
}

int mdb_env_open(MDB_env *environment, const char *path, unsigned flags, mdb_mode_t mode) {
  REAL(int, "mdb_env_open", MDB_env *, const char *, unsigned, mdb_mode_t)
  if (armed == FAULT_OPENING && !(flags & MDB_RDONLY)) {
    armed = FAULT_NONE;
    return EIO;
  }
  return real(environment, path, flags, mode);
}

int fdatasync(int descriptor) {
  REAL(int, "fdatasync", int)
  if (armed == FAULT_SYNC || armed == FAULT_DEVICE) {
    if (armed == FAULT_SYNC) armed = FAULT_NONE;
    errno = EIO;
    return -1;
  }
  if (armed == FAULT_SECOND_SYNC) armed = FAULT_SYNC;
  int result = real(descriptor);
  if (result == 0) syncs++;
  return result;
}

int fsync(int descriptor) {
  REAL(int, "fsync", int)
  if (armed == FAULT_DIRECTORY && (faccessat(descriptor, "lock.mdb", F_OK, 0) == 0 ||
                                   faccessat(descriptor, "store/lock.mdb", F_OK, 0) == 0)) {
    errno = EIO;
    return -1;
  }
  return real(descriptor);
}

/* How many bytes of a write at an offset have room; -1 for none. */
static ssize_t room(int descriptor, size_t count, off_t offset) {
  struct stat info;
  long end = limit;
  if (end == 0 || offset + (off_t)count <= end || fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return count;
  limited++;
  if (offset < end) return end - offset;
  errno = ENOSPC;
  return -1;
}

/* LMDB writes several pages at once with it, where the file is at. */
ssize_t writev(int descriptor, const struct iovec *parts, int number) {
  REAL(ssize_t, "writev", int, const struct iovec *, int)
  if (limit == 0) return real(descriptor, parts, number);
  size_t count = 0;
  for (int index = 0; index < number; index++) count += parts[index].iov_len;
  off_t offset = lseek(descriptor, 0, SEEK_CUR);
  ssize_t left = offset < 0 ? (ssize_t)count : room(descriptor, count, offset);
  if (left == (ssize_t)count) return real(descriptor, parts, number);
  if (left < 0) return -1;
  ssize_t done = 0;
  for (int index = 0; index < number && left > 0; index++) {
    size_t part = parts[index].iov_len < (size_t)left ? parts[index].iov_len : (size_t)left;
    ssize_t written = write(descriptor, parts[index].iov_base, part);
    if (written < 0) return -1;
    done += written;
    left -= written;
  }
  return done;
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t offset) {
  REAL(ssize_t, "pwrite", int, const void *, size_t, off_t)
  ssize_t left = room(descriptor, count, offset);
  if (left < 0) return -1;
  if ((size_t)left < count) return real(descriptor, bytes, left, offset);
  int is_meta = offset < 2 * 4096 && count < 4096;
  if (!is_meta || armed == FAULT_NONE || armed == FAULT_SYNC || armed == FAULT_SECOND_SYNC || armed == FAULT_REMOTE ||
      armed == FAULT_DIRECTORY || armed >= FAULT_OPENING)
    return real(descriptor, bytes, count, offset);
  static atomic_int undoing;
  if (armed == FAULT_META) {
    armed = FAULT_NONE;
  } else if (armed == FAULT_META_DONE) {
    if (undoing) armed = FAULT_NONE;
    else real(descriptor, bytes, count, offset);
    undoing = !undoing;
  } else if (armed == FAULT_META_DONE_DEVICE || armed == FAULT_META_DEVICE) {
    if (armed == FAULT_META_DONE_DEVICE) real(descriptor, bytes, count, offset);
    armed = FAULT_DEVICE;
  }
  errno = EIO;
  return -1;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return write_at(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  return write_at(descriptor, bytes, count, offset);
}

int fstatfs(int descriptor, struct statfs *info) {
  REAL(int, "fstatfs", int, struct statfs *)
  int result = real(descriptor, info);
  if (armed == FAULT_REMOTE) info->f_type = 0x6969;
  if (limit != 0) info->f_type = 0x01021994;
  return result;
}
#endif
