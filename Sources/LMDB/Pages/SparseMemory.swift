import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Memory that reads as zeros, and uses physical memory only for pages that were written.
///
/// The system may count writable memory as soon as it is mapped (`vm.overcommit_memory` = 2, `RLIMIT_DATA`).
/// It would then refuse a region of many gigabytes, or grant it and leave no memory for the rest of the
/// process. Therefore the region is mapped for reading only, which is never counted, and its pieces become
/// writable one by one before they are first written.
final class SparseMemory: @unchecked Sendable {
  // SAFETY: `base` has `size` bytes, which stay mapped until `unmap`. The callers of `unmap` ensure that
  // nothing uses them any more. `writable` has an element for each piece and is freed with this object. Its
  // elements are atomic.

  let base: UnsafeMutableRawPointer
  private let size: Int
  /// The binary logarithm of the size of a piece.
  private let shift: Int
  /// Whether each piece is writable.
  private let writable: UnsafeMutablePointer<Atomic<Bool>>
  private let count: Int
  private let isMapped = Atomic(true)

  /// Returns `nil` if there is not enough address space.
  ///
  /// - Parameter isSecret: Whether to exclude the memory from core dumps.
  init?(size: Int, isSecret: Bool = false) {
    // More pieces would require more mappings than a process may have.
    var shift = 18
    while size >> shift >= 2048 { shift += 1 }
    let count = size >> shift + 1
    guard size > 0 else { return nil }
    let region = mmap(nil, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard region != MAP_FAILED, let region else { return nil }
    base = region
    writable = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: count)
    for index in 0..<count { (writable + index).initialize(to: Atomic(false)) }
    self.size = size
    self.shift = shift
    self.count = count
    #if os(Linux)
      if isSecret { madvise(base, size, MADV_DONTDUMP) }
    #endif
  }

  deinit {
    unmap()
    writable.deinitialize(count: count)
    writable.deallocate()
  }

  /// Unmaps the memory. Nothing may use it any more.
  func unmap() {
    if isMapped.exchange(false, ordering: .acquiringAndReleasing) { munmap(base, size) }
  }

  /// Makes bytes writable. Returns `false` if the system has no memory for them, or if they do not lie within
  /// this memory.
  @inline(__always)
  func makeWritable(_ offset: Int, count: Int) -> Bool {
    guard offset >= 0, count >= 0, count <= size &- offset else { return false }
    let last = (offset &+ max(count, 1) &- 1) &>> shift
    for piece in offset &>> shift...last where !writable[piece].load(ordering: .acquiring) {
      guard makeWritable(piece: piece) else { return false }
    }
    return true
  }

  @inline(never)
  private func makeWritable(piece: Int) -> Bool {
    let start = piece << shift
    guard mprotect(base + start, min(1 << shift, size - start), PROT_READ | PROT_WRITE) == 0 else {
      return false
    }
    writable[piece].store(true, ordering: .releasing)
    return true
  }
}
