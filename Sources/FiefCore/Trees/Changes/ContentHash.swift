import LMDB

/// A hash of a collection's elements (``KeyedHash``). It is the same whether the elements are in their
/// owner's record or in the tree of large collections.
///
/// The hash of a list depends on the order of its elements. The hash of a set or a map is the sum of its
/// elements' hashes, so their order does not matter.
package struct ContentHash {
  private let type: ColumnType
  private var list = KeyedHash()
  private var sum: UInt64 = 0

  package init(_ type: ColumnType) { self.type = type }

  package var value: UInt64 { type.container == .list ? list.value : sum }

  /// Returns the hash of the collection that a payload contains or refers to. A `nil` payload is an empty
  /// collection.
  package static func of(
    _ payload: UnsafeRawBufferPointer?,
    _ type: ColumnType,
    _ tables: StoreTables,
    in transaction: LMDB.Transaction
  ) throws -> UInt64 {
    var hash = ContentHash(type)
    guard let payload else { return hash.value }
    if let marker = try CollectionMarker(payload) {
      try hash.add(try LargeCollection.at(marker, type: type, tables: tables, in: transaction))
    } else {
      try hash.add(try ElementRun(payload: payload))
    }
    return hash.value
  }

  mutating func add(_ collection: LargeCollection) throws {
    var hash = self
    try collection.forEachRun { run in
      try hash.add(run)
      return true
    }
    self = hash
  }

  package mutating func add(_ run: ElementRun) throws {
    var hash = self
    try run.forEach(type: type) { key, element in hash.add(key, element) }
    self = hash
  }

  private mutating func add(_ key: UnsafeRawBufferPointer?, _ element: UnsafeRawBufferPointer) {
    if type.container == .list { return list.add(element) }
    var hash = KeyedHash()
    if let key { hash.add(key) }
    hash.add(element)
    sum &+= hash.value
  }
}

extension LargeCollection {
  /// Whether the collection has the same elements as an inline payload.
  func hasContents(of payload: UnsafeRawBufferPointer) throws -> Bool {
    let run = try ElementRun(payload: payload)
    guard try count() == run.count else { return false }
    var (own, other) = (ContentHash(type), ContentHash(type))
    try own.add(self)
    try other.add(run)
    return own.value == other.value
  }
}
