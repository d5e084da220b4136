import FiefCore
import LMDB

/// Reads the elements of a collection from successive states.
final class ElementSource {
  /// The maximum length of an element that is kept as bytes. A longer element is kept as a hash.
  private static let longest = 24

  let tables: StoreTables
  private let owner: Table
  private let key: ObjectKey
  /// The path through embedded objects to the collection: each table with the column that continues the path.
  private let steps: [(table: Table, column: ColumnEntry)]
  /// The type of the objects to which the map's values link, or `nil` for other values.
  let target: Table?
  /// The watched values of these objects, or `nil` for all values.
  let watched: WatchedValues?
  /// The linked objects whose changes count: those behind a map's objects, or those in elements of type
  /// `AnyRealmValue`. `nil` if they do not count.
  let linked: LinkedStamps?
  /// The stamps of these objects.
  private var stamps: RowStamps?

  var column: ColumnEntry { steps[steps.count - 1].column }

  /// - Parameters:
  ///   - watched: for a map of links, the watched paths from its objects, or `nil` for the whole objects.
  ///   - followsLinks: whether objects to which the map's objects link count when `watched` is `nil`.
  /// - Throws: ``FiefError`` if the schema does not have the collection or a path cannot be watched.
  init(
    _ members: QueryMembers,
    _ tables: StoreTables,
    watched: [QueryPath]?,
    followsLinks: Bool,
    names: QueryNames
  ) throws {
    let owner = try tables.table(named: members.type)
    var steps: [(table: Table, column: ColumnEntry)] = []
    var table: Table? = owner
    for name in members.path {
      guard let at = table, let column = at.entry.column(named: name) else { break }
      steps.append((at, column))
      table = column.type.target.flatMap { tables[$0] }
    }
    guard steps.count == members.path.count, let last = steps.last?.column, last.type.container != .none,
      steps.dropLast().allSatisfy({ $0.column.type.kind == .embedded && $0.column.type.container == .none })
    else {
      throw FiefError(
        .unknownProperty,
        "The type has no such collection.",
        store: tables.storeName,
        type: members.type,
        property: members.path.joined(separator: ".")
      )
    }
    self.tables = tables
    self.owner = owner
    self.steps = steps
    key = members.key
    let isMapOfLinks = last.type.container == .map && last.type.kind == .link
    let target = isMapOfLinks ? table : nil
    let values = try target.flatMap { target in
      try watched.map { try WatchedValues($0, QueryBinder(tables: tables, table: target, names: names)) }
    }
    self.target = target
    self.watched = values
    let isOfValues = last.type.kind == .any
    let follows = followsLinks && watched == nil
    linked =
      follows
      ? isOfValues ? LinkedStamps(ofValuesIn: tables) : target.flatMap { LinkedStamps(of: $0, tables) } : nil
    stamps = target.map { [linked] in RowStamps(of: $0, watched: values, linked: linked) }
  }

  /// Drops the stamps of objects that may have changed, or all stamps for `nil`.
  func forget(_ changes: ChangeSet?) {
    guard let target else { return }
    stamps?.forget(changes.map { $0.types[target.name] ?? ChangeSet.TypeChanges() })
  }

  /// Calls `body` with the identity of each element and the stamp of its value, or 0 if the value has no
  /// stamp.
  func forEach(in state: ObservedState, _ body: (UnsafeRawBufferPointer, UInt64) throws -> Void) throws {
    guard let records = owner.records, ObjectKey.lengths.contains(key.bytes.count),
      let record = try key.bytes.withUnsafeBytes({ try state.transaction.get(records, $0) })
    else { return }
    try forEach(record, 0, state, body)
  }

  private func forEach(
    _ record: UnsafeRawBufferPointer,
    _ step: Int,
    _ state: ObservedState,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> Void
  ) throws {
    let (table, column) = steps[step]
    let type = column.type
    try table.payload(of: column, in: try table.view(record)) { payload in
      guard let payload, !payload.isEmpty else { return }
      if step < steps.count - 1 { return try forEach(payload, step + 1, state, body) }
      if let marker = try CollectionMarker(payload) {
        let large = try LargeCollection.at(marker, type: type, tables: state.tables, in: state.transaction)
        try large.forEachRun { run in
          try run.forEach(type: type) { try add($0, $1, state, body) }
          return true
        }
      } else {
        var reader = ValueReader(payload, context: nil)
        let count = try reader.count()
        try ElementRun.forEach(reader.rest, count: count, type: type) {
          try add($0, $1, state, body)
          return true
        }
      }
    }
  }

  private func add(
    _ name: UnsafeRawBufferPointer?,
    _ element: UnsafeRawBufferPointer,
    _ state: ObservedState,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> Void
  ) throws {
    if let name { return try body(name, try stamp(of: element, state)) }
    let stamp = try stampOfObjects(in: element, state)
    if element.count <= Self.longest { return try body(element, stamp) }
    // Another element with the same keyed hash cannot be chosen, and the second hash makes an accidental
    // match even less likely. The identity is longer than every element that is kept as its bytes.
    let identity = (KeyedHash.of(element), StableHash.hash(element), UInt64(element.count), UInt8(0))
    try withUnsafeBytes(of: identity) { try body($0, stamp) }
  }

  /// Returns the stamp of the objects in an element of type `AnyRealmValue`, or 0 for other elements.
  private func stampOfObjects(in element: UnsafeRawBufferPointer, _ state: ObservedState) throws -> UInt64 {
    guard target == nil, let linked, let value = try CollectionPayload.value(element, type: column.type)
    else { return 0 }
    return try linked.stamp(ofValue: value, in: state.transaction)
  }

  /// Returns the stamp of a map's value. For a link the stamp also covers the linked object with its large
  /// collections, whose elements are not in the record.
  private func stamp(of element: UnsafeRawBufferPointer, _ state: ObservedState) throws -> UInt64 {
    var hash = KeyedHash()
    hash.add(element)
    if target == nil, linked != nil { hash.add(try stampOfObjects(in: element, state)) }
    if let target, let records = target.records,
      let key = try CollectionPayload.value(element, type: column.type),
      ObjectKey.lengths.contains(key.count), let record = try state.transaction.get(records, key)
    {
      hash.add(try stamps?.stamp(of: key, try target.view(record), tables, in: state.transaction) ?? 0)
    }
    return hash.value
  }
}
