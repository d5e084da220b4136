import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The notes of readers that may last long about their origin. Point reads say nothing, and pay nothing.
extension ReaderPool {
  struct Note {
    var origin: String
    var thread: String
    /// The time at which it began, by the monotonic clock.
    var begun: Int64
  }

  /// Notes the origin of the reader of a claimed slot.
  ///
  /// - Parameter snapshot: the commit that it reads; 0 where LMDB begins the transaction by itself.
  func note(_ index: Int, snapshot: UInt64, _ origin: StaticString, line: UInt32) {
    guard origin.hasPointerRepresentation else { return }
    let slot = slots + index
    slot.pointee.origin.store(UInt(bitPattern: origin.utf8Start), ordering: .relaxed)
    slot.pointee.line.store(line, ordering: .relaxed)
    slot.pointee.begun.store(coarseNanoseconds(), ordering: .relaxed)
    slot.pointee.snapshot.store(snapshot, ordering: .releasing)
  }

  /// Removes the note of a slot's reader, which LMDB began by itself: the next one on the thread is another.
  func forgetNote(_ index: Int) { slots[index].origin.store(0, ordering: .relaxed) }

  /// The note of a reader of this process, which was found in LMDB's table; nil where it has made none.
  func note(of reader: ActiveReader) -> Note? {
    for index in 0..<capacity where slots[index].busy.load(ordering: .sequentiallyConsistent) == 1 {
      let slot = slots + index
      let snapshot = slot.pointee.snapshot.load(ordering: .acquiring)
      let thread = String(slot.pointee.owner.load(ordering: .relaxed), radix: 16)
      guard snapshot == reader.transaction || (snapshot == 0 && thread == reader.thread),
        let origin = UnsafePointer<CChar>(bitPattern: slot.pointee.origin.load(ordering: .relaxed))
      else { continue }
      // SAFETY: it is the start of a static string, which ends with a zero and is never freed.
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
  /// Notes the origin of the read, for reports of readers that last long.
  ///
  /// - Parameters:
  ///   - origin: the file of the call, or a few words.
  ///   - line: the line in the file; 0 where `origin` is words.
  @usableFromInline package func noteOrigin(_ origin: StaticString, line: UInt32 = 0) {
    guard handle != nil else { return }
    environment.readers.note(slot, snapshot: id, origin, line: line)
  }
}

/// A clock that costs a few nanoseconds and is right to some milliseconds; that of ``monotonicNanoseconds()``.
private func coarseNanoseconds() -> Int64 {
  #if os(Linux)
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  #else
    return monotonicNanoseconds()
  #endif
}
