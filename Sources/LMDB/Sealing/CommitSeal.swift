/// The contents of a commit as described by its record: the trees, the number of entries of each tree, and
/// certain rows.
///
/// The record has a keyed hash, which reveals changes that were made without the store's key.
struct CommitSeal: Sendable {
  /// The record's key in the unnamed tree. The name of a database has no NUL byte.
  static let key: [UInt8] = Array("fief\0seal".utf8)
  /// The number of bytes of a keyed hash.
  static let hashSize = 16
  private static let version: UInt8 = 1
  private static let headSize = 1 + 8 + hashSize

  /// LMDB's number of the commit. The record does not contain it, because copies have other numbers.
  var commit: UInt64 = 0
  /// The number of commits that have written a record.
  var counter: UInt64 = 0
  /// The names of the trees, in the order of their bytes.
  private(set) var trees: [String] = []
  /// The number of entries of each tree.
  var entries: [UInt64] = []
  /// The rows with their keys, in the order of the keys.
  private(set) var rows: [UInt8] = []
  /// The keyed hash of the names and the rows.
  private var digest: [UInt8] = []
  /// The hash at the end of the record that was read or written last; empty without a record.
  private(set) var hash: [UInt8] = []
  /// The indexes of the databases that were looked up.
  private var places: [Database: Int] = [:]

  /// Creates a state without trees.
  init() {}

  init(_ trees: [(name: String, entries: UInt64)], rows: [UInt8], _ sealing: any ValueSealing) {
    self.trees = trees.map(\.name)
    entries = trees.map(\.entries)
    self.rows = rows
    digest = makeDigest(sealing)
  }

  /// Updates the names of the trees and the rows at the end of a write. Trees that were created in the write
  /// begin without entries.
  mutating func update(trees names: [String]?, rows: [UInt8], _ sealing: any ValueSealing) {
    if let names, names != trees {
      var former = Dictionary(zip(trees, entries), uniquingKeysWith: { first, _ in first })
      entries = names.map { former.removeValue(forKey: $0) ?? 0 }
      trees = names
      places = [:]
    } else if rows == self.rows, !digest.isEmpty {
      return
    }
    self.rows = rows
    digest = makeDigest(sealing)
  }

  /// Returns the index of a tree.
  mutating func place(of database: Database, named name: () -> String?) -> Int? {
    if let known = places[database] { return known }
    let found = name().flatMap { trees.firstIndex(of: $0) }
    places[database] = found
    return found
  }

  private func makeDigest(_ sealing: any ValueSealing) -> [UInt8] {
    // No record begins with 0, so this hash differs from every record's hash.
    var bytes: [UInt8] = [0]
    bytes.appendInteger(UInt64(trees.count))
    for name in trees {
      bytes.appendInteger(UInt64(name.utf8.count))
      bytes.append(contentsOf: name.utf8)
    }
    return Self.hash(bytes + rows, sealing)
  }

  /// Returns the record of the state, which replaces the last one.
  mutating func record(_ sealing: any ValueSealing) -> [UInt8] {
    var bytes = [Self.version]
    bytes.reserveCapacity(Self.headSize + 8 * entries.count + Self.hashSize)
    bytes.appendInteger(counter)
    bytes.append(contentsOf: digest)
    for count in entries { bytes.appendInteger(count) }
    hash = Self.hash(bytes, sealing)
    return bytes + hash
  }

  /// Takes the counter from a record, and compares the rest of the record with the state.
  ///
  /// - Returns: The differences.
  mutating func compare(with record: UnsafeRawBufferPointer, _ sealing: any ValueSealing) -> [SealFlaw] {
    let end = record.count - Self.hashSize
    guard end >= Self.headSize, record[0] == Self.version, (end - Self.headSize) % 8 == 0,
      Self.isEqual(Self.hash(Array(record[..<end]), sealing), record[end...])
    else {
      return [SealFlaw("the record of the last commit was not written with the store's key")]
    }
    hash = Array(record[end...])
    counter = Self.integer(record, 1)
    let stated = (end - Self.headSize) / 8
    guard stated == trees.count else {
      return [SealFlaw("the store has \(trees.count) trees, but had \(stated) after the last commit")]
    }
    var flaws: [SealFlaw] = []
    for (place, name) in trees.enumerated() {
      let former = Self.integer(record, Self.headSize + 8 * place)
      guard former != entries[place] else { continue }
      flaws.append(
        SealFlaw(
          "the tree '\(name)' has \(entries[place]) entries, but had \(former) after the last commit",
          tree: name
        )
      )
    }
    if !record[9..<Self.headSize].elementsEqual(digest) {
      flaws.append(SealFlaw("the catalogue or the name of a tree was changed after the last commit"))
    }
    return flaws
  }

  private static func integer(_ record: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: record.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func hash(_ bytes: [UInt8], _ sealing: any ValueSealing) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: hashSize)
    bytes.withUnsafeBytes { bytes in hash.withUnsafeMutableBytes { sealing.authenticate(bytes, into: $0) } }
    return hash
  }

  /// Compares hashes in a time that does not depend on their bytes.
  private static func isEqual(_ hash: [UInt8], _ other: Slice<UnsafeRawBufferPointer>) -> Bool {
    zip(hash, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// A difference between the record of the last commit and the store.
package struct SealFlaw: Sendable {
  /// The tree that differs, or `nil` if the difference concerns the whole store.
  package let tree: String?
  /// A description of the difference.
  package let text: String

  init(_ text: String, tree: String? = nil) {
    self.tree = tree
    self.text = text
  }
}

extension [UInt8] {
  /// Appends the eight bytes of a number, in little-endian order.
  mutating func appendInteger(_ number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
