#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The times of a few commits, kept in the store to determine the age of a reader's state.
///
/// Each entry is the number of a commit and its time in seconds since 1970. At most one commit per second
/// adds an entry. In a full record, older entries are further apart, so old times are known roughly and
/// recent times precisely.
struct CommitTimes: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var transaction: UInt64
    var seconds: Int64
  }

  static let limit = 32
  /// The times that are accepted, up to the year 36812. Differences of other times could overflow.
  static let possibleSeconds: ClosedRange<Int64> = 0...(1 << 40)
  /// The name of a database has no NUL byte, so the record's key never equals a name.
  static let key: [UInt8] = Array("fief\0times".utf8)
  private static let entrySize = 16

  /// The entries, in the order of the commits.
  private(set) var entries: [Entry] = []

  init() {}

  /// Reads a record and ignores invalid entries.
  init(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + Self.entrySize <= bytes.count, entries.count < Self.limit {
      let transaction = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let seconds = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self))
      offset += Self.entrySize
      guard transaction > entries.last?.transaction ?? 0, Self.possibleSeconds.contains(seconds) else {
        continue
      }
      entries.append(Entry(transaction: transaction, seconds: seconds))
    }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * Self.entrySize)
    for entry in entries {
      withUnsafeBytes(of: entry.transaction.littleEndian) { bytes.append(contentsOf: $0) }
      withUnsafeBytes(of: entry.seconds.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// Adds a commit. Removes entries with the same or a higher number: they come from the file of which this
  /// file is a compacted copy. LMDB numbers the commits of a compacted copy from 1 again.
  mutating func add(_ transaction: UInt64, at seconds: Int64) {
    entries.removeAll { $0.transaction >= transaction }
    guard Self.possibleSeconds.contains(seconds) else { return }
    if entries.count >= Self.limit { entries.remove(at: leastNeeded(at: seconds)) }
    entries.append(Entry(transaction: transaction, seconds: seconds))
  }

  /// Returns the index of the entry whose removal leaves the smallest gap in relation to its age, so that the
  /// error of every age stays a fraction of the age.
  private func leastNeeded(at now: Int64) -> Int {
    var (found, least) = (0, Double.infinity)
    for index in entries.indices.dropFirst().dropLast() {
      let (before, after) = (entries[index - 1].seconds, entries[index + 1].seconds)
      let part = Double(max(0, after - before)) / Double(max(0, now - before) + 1)
      if part < least { (found, least) = (index, part) }
    }
    return found
  }

  /// Returns the time of the first known commit after a state, or `nil` if no such commit is known.
  func seconds(after transaction: UInt64) -> Int64? {
    entries.first { $0.transaction > transaction }?.seconds
  }
}

/// Returns the time in seconds since 1970.
func secondsSince1970() -> Int64 { Int64(time(nil)) }
