import LMDB

/// The entry of an element of a large set or map.
///
/// The name of an entry is the element of a set, or the key of a map. In an unencrypted store, a name of up
/// to 400 bytes is part of the entry's key. Any other name is in the entry's value. docs/format.md describes
/// the bytes.
struct LargeEntry {
  let name: UnsafeRawBufferPointer
  /// The element of a map; empty in a set.
  let element: UnsafeRawBufferPointer

  /// Whether the elements of a collection are object keys, which are stored as names even in an encrypted
  /// store.
  static func isLink(_ type: ColumnType) -> Bool { type.container == .set && type.kind == .link }

  // MARK: Reading

  /// Reads an entry.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  init(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, type: ColumnType) throws {
    var reader = ValueReader(value, context: nil)
    guard try reader.integer(UInt32.self) == Self.checksum(key, reader.rest) else {
      throw LargeCollection.damaged
    }
    if Self.hasName(key) {
      name = UnsafeRawBufferPointer(rebasing: key[(CollectionMarker.prefixCount + 1)...])
    } else {
      name = type.container == .map ? try reader.sized() : try reader.take(reader.rest.count)
    }
    element = reader.rest
  }

  /// Whether the key of an entry contains the whole name.
  static func hasName(_ key: UnsafeRawBufferPointer) -> Bool {
    let start = CollectionMarker.prefixCount + 1
    return key.count >= start && key[start - 1] == LargeCollection.EntryKind.element
      && key.count <= start + LargeCollection.longestElement
  }

  private static func checksum(_ key: UnsafeRawBufferPointer, _ content: UnsafeRawBufferPointer) -> UInt32 {
    RecordChecksum.compute(key) &* 31 ^ RecordChecksum.compute(content)
  }

  // MARK: Writing

  /// Returns the key of a name's entry.
  ///
  /// - Parameters:
  ///   - collection: The prefix of all keys of the collection.
  ///   - tokens: Computes the token that replaces the name; `nil` in an unencrypted store.
  static func key(
    of name: UnsafeRawBufferPointer,
    in collection: UnsafeRawBufferPointer,
    _ tokens: CollectionTokens?
  ) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(collection.count + 1 + Swift.min(name.count, LargeCollection.longestElement + 16))
    key += collection
    if let tokens {
      key.append(LargeCollection.EntryKind.token)
      tokens.append(name, in: collection, to: &key)
      return key
    }
    key.append(LargeCollection.EntryKind.element)
    if let shortened = LargeCollection.shortened(name) { key += shortened } else { key += name }
    return key
  }

  /// Returns the value of the entry with a key.
  func value(ofKey key: [UInt8], type: ColumnType) -> [UInt8] {
    var writer = ValueWriter(reserving: element.count + name.count + 16)
    writer.appendInteger(UInt32(0))
    if !key.withUnsafeBytes({ Self.hasName($0) }) {
      if type.container == .map { writer.appendSized { $0.append(name) } } else { writer.append(name) }
    }
    writer.append(element)
    let checksum = key.withUnsafeBytes { key in
      writer.withBytes { Self.checksum(key, UnsafeRawBufferPointer(rebasing: $0[4...])) }
    }
    writer.address(0).storeBytes(of: checksum.littleEndian, as: UInt32.self)
    return writer.bytes
  }

  init(name: UnsafeRawBufferPointer, element: UnsafeRawBufferPointer = .init(start: nil, count: 0)) {
    self.name = name
    self.element = element
  }
}

extension LargeEntry {
  /// Re-encodes an entry of the tree of large collections for other encryption keys or for a store without
  /// encryption. Returns `nil` if the entry does not change.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`, or `damagedStore` for an entry of a column that the
  ///   catalogue does not have.
  static func renamed(
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    _ catalogue: Catalogue,
    _ tokens: CollectionTokens?
  ) throws -> (key: [UInt8], value: [UInt8])? {
    let count = CollectionMarker.prefixCount
    guard key.count > count,
      key[count] == LargeCollection.EntryKind.element || key[count] == LargeCollection.EntryKind.token
    else { return nil }
    let type = UInt32(bigEndian: key.loadUnaligned(as: UInt32.self))
    let column = UInt16(bigEndian: key.loadUnaligned(fromByteOffset: 4, as: UInt16.self))
    let entry = catalogue.types.first { $0.id == type }
    guard let columnType = entry?.column(column)?.type else {
      throw FiefError(
        .damagedStore,
        "The tree of large collections has an entry for a property that the store does not have.",
        details: ["the type's id: \(type)", "the property's id: \(column)"]
      )
    }
    if isLink(columnType) { return nil }
    let found = try LargeEntry(key: key, value: value, type: columnType)
    let collection = UnsafeRawBufferPointer(rebasing: key[..<count])
    let renamed = Self.key(of: found.name, in: collection, tokens)
    return (renamed, found.value(ofKey: renamed, type: columnType))
  }
}
