import Synchronization

/// Marks each commit in the store, so that a commit whose result is unknown can be found after reopening.
///
/// The record contains the last tokens of several environments, newest first. A commit of another process
/// therefore does not hide a commit of this process that was not checked yet. The number of the commit
/// follows the tokens. It detects a meta page that points to the state of a different commit
/// (``CommitRecord``). Records of earlier versions have no number.
struct CommitToken: Sendable {
  static let size = 24
  static let kept = 8
  /// The name of a database has no NUL byte, so the record's key never equals a name.
  static let key: [UInt8] = Array("fief\0commit".utf8)

  private let identity: [UInt8]

  init() {
    var generator = SystemRandomNumberGenerator()
    // Each number takes one system call, because the generator has no buffer.
    let halves = (generator.next() as UInt64, generator.next() as UInt64)
    identity = withUnsafeBytes(of: halves) { Array($0) }
  }

  func bytes(_ sequence: UInt64) -> [UInt8] {
    identity + (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (8 * UInt64($0))) }
  }

  /// Returns the record with this environment's token at the front, in place of its previous one.
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

  /// Returns the record followed by the number of its commit.
  static func numbered(_ record: [UInt8], commit: UInt64) -> [UInt8] {
    record + withUnsafeBytes(of: commit.littleEndian) { [UInt8]($0) }
  }

  /// Returns the number of a record's commit, or `nil` if the record has none.
  static func commit(in record: UnsafeRawBufferPointer) -> UInt64? {
    guard record.count % size == 8 else { return nil }
    return UInt64(littleEndian: record.loadUnaligned(fromByteOffset: record.count - 8, as: UInt64.self))
  }

  /// Whether the record shows that the commit with this number was made.
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
