#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The times of a few commits, kept in the store: the age of the state that a reader reads follows from them.
///
/// Each entry is the number of a commit and its time in seconds since 1970. At most one commit a second adds one.
/// In a full record they are the sparser the older they are: old times are known roughly and new ones well.
struct CommitTimes: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var transaction: UInt64
    var seconds: Int64
  }

  static let limit = 32
  /// The times that a clock can have, to the year 36812: differences of others can be too large for a number.
  static let possibleSeconds: ClosedRange<Int64> = 0...(1 << 40)
  /// A database's name has no NUL byte, so the record's key is never one.
  static let key: [UInt8] = Array("fief\0times".utf8)
  private static let entrySize = 16

  /// The entries, in the order of the commits.
  private(set) var entries: [Entry] = []

  init() {}

  /// Reads a record; invalid entries are left out.
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

  /// Adds a commit. Entries of the same and of later commits are another file's, and go.
  mutating func add(_ transaction: UInt64, at seconds: Int64) {
    entries.removeAll { $0.transaction >= transaction }
    guard Self.possibleSeconds.contains(seconds) else { return }
    if entries.count >= Self.limit { entries.remove(at: leastNeeded(at: seconds)) }
    entries.append(Entry(transaction: transaction, seconds: seconds))
  }

  /// The entry without which the gap is the smallest part of its age, so that every age is known to a part of it.
  private func leastNeeded(at now: Int64) -> Int {
    var (found, least) = (0, Double.infinity)
    for index in entries.indices.dropFirst().dropLast() {
      let (before, after) = (entries[index - 1].seconds, entries[index + 1].seconds)
      let part = Double(max(0, after - before)) / Double(max(0, now - before) + 1)
      if part < least { (found, least) = (index, part) }
    }
    return found
  }

  /// The time of a commit that is newer than a state; nil where none is known.
  func seconds(after transaction: UInt64) -> Int64? {
    entries.first { $0.transaction > transaction }?.seconds
  }
}

/// The time of day in seconds since 1970.
func secondsSince1970() -> Int64 { Int64(time(nil)) }
