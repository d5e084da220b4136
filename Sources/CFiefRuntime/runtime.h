// What Fief needs of the Swift runtime to find the classes of a process, where there is no Objective-C
// runtime to ask (declared after swift/shims/MetadataSections.h of the toolchain), `statfs`, which
// the Glibc module leaves out, and a variable of each thread, which Swift cannot declare.

#ifndef CFIEFRUNTIME_RUNTIME_H
#define CFIEFRUNTIME_RUNTIME_H

#include <stdint.h>

// The number of dates that the calling thread is about to read. Each object file that calls this has its own variables.
static inline intptr_t *_Nonnull fief_dates_to_be_read(void) {
  static _Thread_local intptr_t count;
  return &count;
}

#if !defined(__APPLE__)

#include <stdbool.h>
#include <stddef.h>
#if defined(__linux__)
#include <sys/vfs.h>
#endif

struct FiefSectionRange {
  uintptr_t start;
  size_t length;
};

// The beginning of what an image registers with the runtime, in versions 4 and 5 of it.
struct FiefMetadataSections {
  uintptr_t version;
  const void *_Nullable baseAddress;
  void *_Nullable unused0;
  void *_Nullable unused1;
  struct FiefSectionRange protocols;
  struct FiefSectionRange protocolConformances;
  struct FiefSectionRange typeMetadata;
};

// Exported by the runtime: calls `body` for each image until it returns false.
extern void swift_enumerateAllMetadataSections(
    bool (*_Nonnull body)(const struct FiefMetadataSections *_Nonnull sections, void *_Nullable context),
    void *_Nullable context);

struct FiefMetadataResponse {
  const void *_Nullable metadata;
  uintptr_t state;
};

// Calls the metadata accessor of a type that is not generic and waits until the metadata is complete.
static inline const void *_Nullable fief_complete_metadata(const void *_Nonnull accessor) {
  typedef struct FiefMetadataResponse (*Accessor)(uintptr_t request) __attribute__((swiftcall));
  return ((Accessor)accessor)(0).metadata;
}

#endif
#endif
