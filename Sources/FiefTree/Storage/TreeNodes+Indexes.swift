import Fief
import LMDB

extension TreeNodes {
  /// Returns the value that orders a child.
  ///
  /// - Parameter place: the place of the child.
  func sortValue(at place: TreePlace, _ order: TreeOrder) throws -> TreeSortValue {
    let place = order.names.reduce(place) { $0.appending($1) }
    return switch try content(of: place, cursor()) {
    case .leaf(let value): .leaf(value)
    case .anchor: .node
    case nil: .absent
    }
  }

  /// Returns the position of a child from its entry in an index.
  ///
  /// - Throws: `FiefError` of code `damagedRecord` for an impossible entry.
  func position(of key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ table: TreeTable) throws
    -> [UInt8]
  {
    guard let (_, text) = IndexEntryKey.read(key) else {
      throw damaged("A key of an index of a tree is damaged.")
    }
    let whole = try table.withPayload("whole", of: key, record) { $0.map { [UInt8]($0) } }
    guard let whole else {
      guard text.count <= IndexEntryKey.longestWhole else {
        throw damaged("An entry of an index of a tree is damaged.")
      }
      return [UInt8](text)
    }
    guard IndexEntryKey.isCut(whole), text.starts(with: IndexEntryKey.beginning(of: whole)),
      text.count <= IndexEntryKey.longest
    else { throw damaged("An entry of an index of a tree is damaged.") }
    return whole
  }

  /// Returns the number of a parent in an index; `nil` if the index has no children of it.
  ///
  /// - Parameter place: the parent's place; the root for a group, whose children have one number.
  func number(of index: StoredIndex, _ place: TreePlace, _ tables: TreeIndexTables) throws -> Int? {
    guard let segment = try segment(of: place) else { return nil }
    return try IndexPlaceKey.key(index.id, segment, place.last).withUnsafeBytes { key in
      guard let record = try transaction.get(tables.places.records, key) else { return nil }
      return try number(key, record, tables)
    }
  }

  /// Returns the number in the record of a parent.
  ///
  /// - Throws: `FiefError` of code `damagedRecord` for an impossible number.
  func number(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ tables: TreeIndexTables)
    throws -> Int
  {
    let number = try tables.places.integer("number", of: key, record)
    guard let number, StoredIndex.numbers.contains(number) else {
      throw damaged("A place of an index of a tree is damaged.")
    }
    return number
  }

  /// - Returns: whether the store had the index.
  func removeIndex(_ definition: TreeIndexDefinition, _ writer: EntryWriter) throws -> Bool {
    guard let tables = indexTables,
      let index = try StoredIndex.all(self).first(where: { $0.definition == definition })
    else { return false }
    try IndexEntryWriter(self, tables, writer).remove(index)
    return true
  }
}
