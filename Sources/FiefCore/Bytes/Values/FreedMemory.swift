import Foundation

/// Memory that the C library keeps after it was freed, for later use.
enum FreedMemory {
  /// Makes the C library keep up to 8 MiB of freed memory at the end of its heap.
  ///
  /// By default glibc returns freed memory above 128 KiB to the system. An import in batches would then get
  /// the same pages again for each batch, and the first use of each page takes longer than writing records to
  /// it. When a separately mapped block of up to 32 MiB is freed, glibc raises this limit to twice the size
  /// of the block, so allocating and freeing 4 MiB is enough. `mallopt` would work too, but it would override
  /// the settings of the application.
  static let isKept: Void = {
    #if canImport(Glibc)
      var block: UnsafeMutableRawPointer?
      // The compiler would remove a call of `malloc` whose memory is not used.
      if posix_memalign(&block, 16, 4 << 20) == 0 { free(block) }
    #endif
  }()
}
