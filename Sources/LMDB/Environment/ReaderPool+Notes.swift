import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Notes about the origin of readers that may last long. Lookups of single keys record nothing, which saves
/// time.
extension ReaderPool {
  struct Note {
    var origin: String
    var thread: String
    /// The time at which the read began, by the monotonic clock.
    var begun: Int64
  }

  /// Records the origin of the reader of a claimed slot.
  ///
  /// - Parameter snapshot: The commit that the reader sees; 0 if LMDB begins the transaction itself.
  @inline(__always)
  static func note(
    _ slot: UnsafeMutablePointer<Slot>,
    snapshot: UInt64,
    _ origin: StaticString,
    line: UInt32
  ) {
    guard origin.hasPointerRepresentation else { return }
    slot.pointee.origin.store(UInt(bitPattern: origin.utf8Start), ordering: .relaxed)
    slot.pointee.line.store(line, ordering: .relaxed)
    slot.pointee.begun.store(coarseNanoseconds(), ordering: .relaxed)
    slot.pointee.snapshot.store(snapshot, ordering: .releasing)
  }

  /// Removes the note of a slot whose transaction LMDB began itself, because the next reader on the thread is
  /// a different one.
  func forgetNote(_ index: Int) { slots[index].origin.store(0, ordering: .relaxed) }

  /// Returns the note of a reader of this process that was found in LMDB's table, or `nil` if the reader
  /// recorded none.
  func note(of reader: ActiveReader) -> Note? {
    for index in 0..<capacity where slots[index].busy.load(ordering: .sequentiallyConsistent) == 1 {
      let slot = slots + index
      let snapshot = slot.pointee.snapshot.load(ordering: .acquiring)
      let thread = String(slot.pointee.owner.load(ordering: .relaxed), radix: 16)
      guard snapshot == reader.transaction || (snapshot == 0 && thread == reader.thread),
        let origin = UnsafePointer<CChar>(bitPattern: slot.pointee.origin.load(ordering: .relaxed))
      else { continue }
      // SAFETY: the address is the start of a static string, which ends with a zero and is never freed.
      let text = String(cString: origin)
      let line = slot.pointee.line.load(ordering: .relaxed)
      return Note(
        origin: line == 0 ? text : "\(text):\(line)",
        thread: thread,
        begun: slot.pointee.begun.load(ordering: .relaxed)
      )
    }
    return nil
  }
}

extension ReadTransaction {
  /// Records the origin of the read, for reports of readers that last long.
  ///
  /// - Parameters:
  ///   - origin: The file of the call, or a short description.
  ///   - line: The line in the file; 0 if `origin` is a description.
  @usableFromInline package func noteOrigin(_ origin: StaticString, line: UInt32 = 0) {
    guard handle != nil else { return }
    ReaderPool.note(slots + slot, snapshot: snapshot &- 1, origin, line: line)
  }
}

/// Returns the time of a clock that costs a few nanoseconds and is accurate to some milliseconds. It has the
/// same origin as ``monotonicNanoseconds()``.
private func coarseNanoseconds() -> Int64 {
  #if os(Linux)
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  #else
    return monotonicNanoseconds()
  #endif
}
