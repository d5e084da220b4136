import Foundation

/// Memory that was freed, as the C library keeps it for the next use.
enum FreedMemory {
  /// Has the C library keep up to 8 MiB of freed memory at the end of its heap.
  ///
  /// By default glibc returns more than 128 KiB to the system. An import in batches would get the same pages again for each batch,
  /// and the first use of each page takes longer than writing the records in it. glibc keeps twice the size of the largest block,
  /// up to 32 MiB, that was mapped by itself and freed. `mallopt` would replace the settings of the application.
  static let isKept: Void = {
    #if canImport(Glibc)
      var block: UnsafeMutableRawPointer?
      // The compiler would remove a call of `malloc` whose memory is not used.
      if posix_memalign(&block, 16, 4 << 20) == 0 { free(block) }
    #endif
  }()
}
