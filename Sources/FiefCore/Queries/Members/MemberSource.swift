import LMDB

/// The collection that a query selects from. Its contents are read again in each transaction.
final class MemberSource {
  /// The elements of a collection in one transaction.
  enum Contents {
    case inline(UnsafeRawBufferPointer)
    case large(LargeCollection)
  }

  let owner: Table
  let ownerKey: [UInt8]
  /// The embedded objects on the path. Each table has the column that leads to the next step; the last column
  /// leads to the collection.
  private let steps: [(table: Table, column: ColumnEntry)]
  /// The backlinks of the elements, or `nil` if the collection belongs to an embedded object.
  let link: Table.LinkColumn?
  /// The payload of the elements if the collection has no owner.
  private let given: [UInt8]?
  let type: ColumnType
  /// Whether the collection can contain an object several times, so that positions identify rows.
  var hasPlaces: Bool { type.container != .set }
  /// Whether the collection may contain elements without an object: nil or links to deleted objects.
  var mayHaveGaps: Bool { type.isOptional || link?.mayDangle ?? true }

  /// - Throws: ``FiefError`` if the schema does not have the collection, or if its elements are not of the
  ///   query's type.
  init(_ members: QueryMembers, _ binder: QueryBinder) throws {
    given = members.given
    if members.given != nil {
      owner = binder.table
      ownerKey = []
      steps = []
      link = nil
      let kind: ColumnType.Kind = binder.table.records == nil ? .embedded : .link
      type = ColumnType(kind, container: .list, target: binder.table.name)
      return
    }
    let owner = try binder.tables.table(named: members.type)
    var steps: [(table: Table, column: ColumnEntry)] = []
    var table: Table? = owner
    for name in members.path {
      guard let at = table, let column = at.entry.column(named: name) else { break }
      steps.append((at, column))
      table = column.type.target.flatMap { binder.tables[$0] }
    }
    guard steps.count == members.path.count, let last = steps.last?.column, last.type.container != .none,
      last.type.kind == (binder.table.records == nil ? .embedded : .link),
      last.type.target == binder.table.name,
      steps.dropLast().allSatisfy({ $0.column.type.kind == .embedded && $0.column.type.container == .none })
    else {
      throw FiefError(
        .unknownProperty,
        "The type has no such collection of these objects.",
        store: binder.tables.storeName,
        type: members.type,
        property: members.path.joined(separator: ".")
      )
    }
    self.owner = owner
    self.steps = steps
    type = last.type
    ownerKey = members.key.bytes
    link = steps.count == 1 ? owner.links.first { $0.column.id == last.id } : nil
  }

  /// Calls `body` with the contents, which are valid until it returns.
  ///
  /// - Returns: `nil` if the owner of the collection was deleted.
  func withContents<Value>(
    _ tables: StoreTables,
    in transaction: LMDB.Transaction,
    _ body: (Contents) throws -> Value
  ) throws -> Value? {
    if let given { return try given.withUnsafeBytes { try body(.inline($0)) } }
    guard let records = owner.records, ObjectKey.lengths.contains(ownerKey.count),
      let record = try ownerKey.withUnsafeBytes({ try transaction.get(records, $0) })
    else { return nil }
    var verified = VerifiedRecords(transaction)
    try ownerKey.withUnsafeBytes { try verified.verify(record, $0, of: owner) }
    return try contents(record, 0, tables, transaction, body)
  }

  private func contents<Value>(
    _ record: UnsafeRawBufferPointer,
    _ step: Int,
    _ tables: StoreTables,
    _ transaction: LMDB.Transaction,
    _ body: (Contents) throws -> Value
  ) throws -> Value? {
    let (table, column) = steps[step]
    var result: Value?
    try table.payload(of: column, in: try table.view(record)) { payload in
      guard let payload else { return }
      if step < steps.count - 1 {
        result = try contents(payload, step + 1, tables, transaction, body)
      } else if let marker = try CollectionMarker(payload) {
        result = try body(
          .large(try LargeCollection.at(marker, type: type, tables: tables, in: transaction))
        )
      } else {
        result = try body(.inline(payload))
      }
    }
    return result
  }

  /// Returns the number of elements, including elements without an object.
  func count(_ tables: StoreTables, in transaction: LMDB.Transaction) throws -> Int {
    try withContents(tables, in: transaction) { contents in
      switch contents {
      case .inline(let payload): try CollectionPayload.count(payload)
      case .large(let large): try large.existingCount()
      }
    } ?? 0
  }

  /// The maximum number of keys that are looked up individually. For more keys, a walk through the collection
  /// is cheaper.
  private static let mostLookedUp = 64

  /// Returns the keys whose objects are in the collection. If there are many keys, returns all of them
  /// unchecked.
  func members(among keys: KeyList, in environment: QueryEnvironment) throws -> KeyList {
    guard link != nil, keys.count <= Self.mostLookedUp else { return keys }
    var marks: [Bool] = []
    for index in 0..<keys.count {
      marks.append(try keys.withKey(index) { try contains($0, in: environment) })
    }
    return keys.keys(markedIn: marks)
  }

  /// Whether an object is in the collection now.
  func contains(_ key: UnsafeRawBufferPointer, in environment: QueryEnvironment) throws -> Bool {
    if let link {
      let entry = CompositeKey(first: [UInt8](key), second: ownerKey)
      guard let whole = try entry.key.withUnsafeBytes({ try environment.transaction.get(link.backlinks, $0) })
      else { return false }
      // If a key is too long for a key of the tree, it is stored in the value instead.
      return whole.isEmpty || whole.elementsEqual(ownerKey)
    }
    var isFound = false
    try forEachRun(environment.tables, in: environment.transaction) { run in
      isFound = run.entries.contains { run.key($0).map { $0.elementsEqual(key) } ?? false }
      return !isFound
    }
    return isFound
  }
}
