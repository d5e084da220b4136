// Functions of glibc 2.34 that the Glibc module of Swift leaves out, because it is built without _GNU_SOURCE.

#ifndef CCHILDPROCESSES_SPAWNING_H
#define CCHILDPROCESSES_SPAWNING_H

#if defined(__linux__)

#include <spawn.h>

extern int pipe2(int *_Nonnull ends, int flags);

extern int posix_spawn_file_actions_addchdir_np(
    posix_spawn_file_actions_t *_Nonnull actions, const char *_Nonnull directory);

extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *_Nonnull actions, int first);

#endif
#endif
