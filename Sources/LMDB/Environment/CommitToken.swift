import Synchronization

/// Marks each commit in the store, so that one whose result is unknown can be looked up after reopening.
///
/// The record holds the last tokens of several environments, newest first: another process that commits before
/// this one has checked does not hide this one's commit. Behind them is the number of the commit, by which a meta
/// page that leads to another state is found (``CommitRecord``); records that earlier versions wrote have none.
struct CommitToken: Sendable {
  static let size = 24
  static let kept = 8
  /// A database's name has no NUL byte, so the record's key is never one.
  static let key: [UInt8] = Array("fief\0commit".utf8)

  private let identity: [UInt8]

  init() {
    var generator = SystemRandomNumberGenerator()
    // Two calls of the system: it is asked for each number by itself.
    let halves = (generator.next() as UInt64, generator.next() as UInt64)
    identity = withUnsafeBytes(of: halves) { Array($0) }
  }

  func bytes(_ sequence: UInt64) -> [UInt8] {
    identity + (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (8 * UInt64($0))) }
  }

  /// The record with this environment's token in front, in place of its last one.
  func record(after old: UnsafeRawBufferPointer?, sequence: UInt64) -> [UInt8] {
    var record = bytes(sequence)
    guard let old else { return record }
    var offset = 0
    while offset + CommitToken.size <= old.count, record.count < CommitToken.size * CommitToken.kept {
      let entry = old[offset..<(offset + CommitToken.size)]
      if !entry.prefix(16).elementsEqual(identity) { record.append(contentsOf: entry) }
      offset += CommitToken.size
    }
    return record
  }

  /// The record with the number of its commit behind it.
  static func numbered(_ record: [UInt8], commit: UInt64) -> [UInt8] {
    record + withUnsafeBytes(of: commit.littleEndian) { [UInt8]($0) }
  }

  /// The number of the commit that a record is of; nil where it has none.
  static func commit(in record: UnsafeRawBufferPointer) -> UInt64? {
    guard record.count % size == 8 else { return nil }
    return UInt64(littleEndian: record.loadUnaligned(fromByteOffset: record.count - 8, as: UInt64.self))
  }

  /// Whether a record says that the commit with this number took place.
  func isPresent(in record: UnsafeRawBufferPointer, sequence: UInt64) -> Bool {
    let wanted = bytes(sequence)
    var offset = 0
    while offset + CommitToken.size <= record.count {
      if record[offset..<(offset + CommitToken.size)].elementsEqual(wanted) { return true }
      offset += CommitToken.size
    }
    return false
  }
}
