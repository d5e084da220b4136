import Foundation

/// Sorted runs of index entries in a file that has no name, so that nothing is left of it whatever happens.
final class EntryRuns {
  /// How much of a run is read at once.
  private static let chunk = 256 << 10

  private let descriptor: Int32
  private var size = 0
  private var runs: [Range<Int>] = []

  /// - Parameter directory: where the file is made.
  /// - Throws: ``FiefError`` of code `inputOutput`.
  init(directory: String) throws(FiefError) {
    let path = directory + "/.sorting-" + UUID().uuidString
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure }
    unlink(path)
  }

  deinit { close(descriptor) }

  private static var failure: FiefError {
    let code = errno
    return FiefError(
      code == ENOSPC || code == EDQUOT ? .storeFull : .inputOutput,
      "The entries of a new index could not be sorted on the disk.",
      details: [String(cString: strerror(code))]
    )
  }

  /// Adds a run.
  ///
  /// - Parameter body: is handed a closure that it calls with each entry, in the order of the keys.
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
        // SAFETY: the buffer is valid for the call, and has as many bytes.
        let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(size))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Self.failure }
        offset += count
        size += count
      }
    }
  }

  /// Calls a closure with the entries of all runs, in the order of the keys.
  func merge(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, Int) throws -> Void) throws {
    var readers: [Reader] = []
    for run in runs {
      let reader = Reader(descriptor, run)
      if try reader.next() { readers.append(reader) }
    }
    // Runs are as long as memory allows, so that there are few of them.
    while let first = readers.indices.min(by: { readers[$0].precedes(readers[$1]) }) {
      try readers[first].withEntry(body)
      if try !readers[first].next() { readers.remove(at: first) }
    }
  }

  private final class Reader {
    private static let headCount = 6

    private let descriptor: Int32
    private var rest: Range<Int>
    private var buffer: [UInt8] = []
    private var position = 0
    private var key = 0..<0
    private var value = 0..<0
    private var firstCount = 0

    init(_ descriptor: Int32, _ run: Range<Int>) {
      self.descriptor = descriptor
      rest = run
    }

    /// Goes to the next entry; false at the end.
    func next() throws -> Bool {
      position = value.upperBound
      guard try fill(Self.headCount) else { return false }
      let head = buffer.withUnsafeBytes { bytes in
        [0, 2, 4].map {
          Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: position + $0, as: UInt16.self)))
        }
      }
      guard try fill(Self.headCount + head[0] + head[1]) else { return false }
      let start = position + Self.headCount
      key = start..<(start + head[0])
      value = key.upperBound..<(key.upperBound + head[1])
      firstCount = head[2]
      return true
    }

    /// Makes sure that some bytes are in memory from the position on.
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
          // SAFETY: `wanted` bytes were appended behind `start`.
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
      buffer[key].lexicographicallyPrecedes(other.buffer[other.key])
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
