import Foundation
import LMDB

/// Sorted runs of index entries in a file. The file has no name, so it is removed at the latest when the
/// process ends.
final class EntryRuns {
  /// The number of bytes of a run that are read at once.
  private static let chunk = 256 << 10

  private let file: UnnamedFile
  private var size = 0
  private var runs: [Range<Int>] = []

  /// - Parameter directory: the directory in which the file is created.
  /// - Throws: ``FiefError`` of code `inputOutput`.
  init(directory: String) throws(FiefError) {
    guard let file = UnnamedFile.make(in: directory) else { throw Self.failure }
    self.file = file
  }

  private var descriptor: Int32 { file.descriptor }

  private static var failure: FiefError {
    let code = errno
    return FiefError(
      [ENOSPC, EDQUOT, EFBIG].contains(code) ? .storeFull : .inputOutput,
      "The entries of a new index could not be sorted on disk.",
      details: [String(cString: strerror(code))]
    )
  }

  /// Adds a run.
  ///
  /// - Parameter body: receives a closure that it calls with each entry in key order.
  func addRun(_ body: ((UnsafeRawBufferPointer, UnsafeRawBufferPointer, Int) throws -> Void) throws -> Void)
    throws
  {
    let start = size
    var writer = ValueWriter(reserving: Self.chunk * 2)
    try body { key, value, firstCount in
      writer.appendInteger(UInt16(truncatingIfNeeded: key.count))
      writer.appendInteger(UInt16(truncatingIfNeeded: value.count))
      writer.appendInteger(UInt16(truncatingIfNeeded: firstCount))
      writer.append(key)
      writer.append(value)
      if writer.count >= Self.chunk {
        try write(writer)
        writer.removeAll()
      }
    }
    try write(writer)
    runs.append(start..<size)
  }

  private func write(_ writer: borrowing ValueWriter) throws(FiefError) {
    try writer.withBytes { bytes throws(FiefError) in
      var offset = 0
      while offset < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        // SAFETY: the buffer is valid for the call and has this many bytes.
        let count = FileSizeLimit.withoutSignal {
          pwrite(descriptor, rest.baseAddress, rest.count, off_t(size))
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Self.failure }
        offset += count
        size += count
      }
    }
  }

  /// Calls a closure with the entries of all runs in key order.
  func merge(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, Int) throws -> Void) throws {
    var readers: [Reader] = []
    for run in runs {
      let reader = Reader(descriptor, run)
      if try reader.next() { readers.append(reader) }
    }
    // Runs are as long as memory allows. There are therefore few of them, and sorting an array of readers is
    // fast enough. A run contains the entries of a part of the objects, so the next entry with the same value
    // is often in the same run.
    readers.sort { $0.precedes($1) }
    while let first = readers.first {
      try first.withEntry(body)
      guard try first.next() else {
        readers.removeFirst()
        continue
      }
      var place = 0
      while place + 1 < readers.count, readers[place + 1].precedes(first) {
        readers.swapAt(place, place + 1)
        place += 1
      }
    }
  }

  private final class Reader {
    private static let headCount = 6

    private let descriptor: Int32
    private var rest: Range<Int>
    // One thread reads these properties for each entry.
    @exclusivity(unchecked) private var buffer: [UInt8] = []
    @exclusivity(unchecked) private var position = 0
    @exclusivity(unchecked) private var key = 0..<0
    @exclusivity(unchecked) private var value = 0..<0
    @exclusivity(unchecked) private var firstCount = 0

    init(_ descriptor: Int32, _ run: Range<Int>) {
      self.descriptor = descriptor
      rest = run
    }

    /// Advances to the next entry. Returns false at the end.
    func next() throws -> Bool {
      position = value.upperBound
      guard try fill(Self.headCount) else { return false }
      let (keyCount, valueCount) = (number(at: 0), number(at: 2))
      firstCount = number(at: 4)
      guard try fill(Self.headCount + keyCount + valueCount) else { return false }
      let start = position + Self.headCount
      key = start..<(start + keyCount)
      value = key.upperBound..<(key.upperBound + valueCount)
      return true
    }

    /// Returns a number of the entry's header.
    private func number(at offset: Int) -> Int {
      buffer.withUnsafeBytes {
        Int(UInt16(littleEndian: $0.loadUnaligned(fromByteOffset: position + offset, as: UInt16.self)))
      }
    }

    /// Ensures that at least `count` bytes from the position on are in memory.
    private func fill(_ count: Int) throws(FiefError) -> Bool {
      if buffer.count - position >= count { return true }
      buffer.removeSubrange(..<position)
      position = 0
      value = 0..<0
      while buffer.count < count, !rest.isEmpty {
        let wanted = min(max(EntryRuns.chunk, count), rest.count)
        let start = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: wanted))
        let read = buffer.withUnsafeMutableBytes {
          // SAFETY: `wanted` bytes were appended after `start`.
          pread(descriptor, $0.baseAddress.map { $0 + start }, wanted, off_t(rest.lowerBound))
        }
        guard read > 0 else {
          buffer.removeSubrange(start...)
          if read < 0, errno == EINTR { continue }
          throw EntryRuns.failure
        }
        buffer.removeSubrange((start + read)...)
        rest = (rest.lowerBound + read)..<rest.upperBound
      }
      return buffer.count >= count
    }

    func precedes(_ other: Reader) -> Bool {
      buffer.withUnsafeBytes { first in
        other.buffer.withUnsafeBytes { second in
          let first = UnsafeRawBufferPointer(rebasing: first[key])
          let second = UnsafeRawBufferPointer(rebasing: second[other.key])
          // No key is empty.
          guard let left = first.baseAddress, let right = second.baseAddress else { return false }
          // SAFETY: both have at least this many bytes.
          let order = memcmp(left, right, min(first.count, second.count))
          return order == 0 ? first.count < second.count : order < 0
        }
      }
    }

    func withEntry(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, Int) throws -> Void) rethrows {
      try buffer.withUnsafeBytes {
        try body(
          UnsafeRawBufferPointer(rebasing: $0[key]),
          UnsafeRawBufferPointer(rebasing: $0[value]),
          firstCount
        )
      }
    }
  }
}
