#ifndef CLMDB_SHIM_H
#define CLMDB_SHIM_H

#include <errno.h>
#include <lmdb.h>
#include <stdint.h>
#include <stdio.h>

/* Asks for the memory at an address, which is not waited for. Any address will do. */
static inline void clmdb_prefetch(const void *address) { __builtin_prefetch(address); }

/* The same for the memory from an address on; `count` is a multiple of 512. */
static inline void clmdb_prefetch_all(const void *start, intptr_t count) {
  for (const char *at = start, *end = at + count; at < end; at += 512) {
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
    __builtin_prefetch(at + 128);
    __builtin_prefetch(at + 192);
    __builtin_prefetch(at + 256);
    __builtin_prefetch(at + 320);
    __builtin_prefetch(at + 384);
    __builtin_prefetch(at + 448);
  }
}

#if defined(__linux__)
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* System calls that Swift's module of the C library does not have. */

/* The kind of the file system below an open file; 0 when unknown. */
static inline uint32_t clmdb_file_system_kind(int descriptor) {
  struct statfs info;
  return fstatfs(descriptor, &info) == 0 ? (uint32_t)info.f_type : 0;
}

/* Names the calling thread for debuggers; at most 15 bytes count. */
static inline void clmdb_name_thread(const char *name) { syscall(SYS_prctl, 15 /* PR_SET_NAME */, name); }

/* Allocates room without changing the file's length; returns 0 or an errno. */
static inline int clmdb_allocate(int descriptor, int64_t offset, int64_t count) {
  return syscall(SYS_fallocate, descriptor, 1 /* FALLOC_FL_KEEP_SIZE */, offset, count) == 0 ? 0 : errno;
}

/* Renames unless the new name exists; returns 0 or an errno. */
static inline int clmdb_rename_exclusive(const char *from, const char *to) {
  return syscall(SYS_renameat2, -100 /* AT_FDCWD */, from, -100, to, 1 /* RENAME_NOREPLACE */) == 0
             ? 0
             : errno;
}

/* Lets two names change places in one step; returns 0 or an errno. */
static inline int clmdb_rename_exchange(const char *first, const char *second) {
  return syscall(SYS_renameat2, -100 /* AT_FDCWD */, first, -100, second, 2 /* RENAME_EXCHANGE */) == 0
             ? 0
             : errno;
}
#endif

#endif
