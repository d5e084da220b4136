import LMDB

/// The objects of frozen results, as copies of their keys and records.
final class FrozenRows: Sendable {
  /// The query that found the objects.
  fileprivate let description: QueryDescription
  fileprivate let binding: ObjectBinding
  /// The context of the objects. No write changes them.
  fileprivate let context: ObjectContext
  fileprivate let keys: KeyArray
  fileprivate let records: KeyArray

  fileprivate init(
    _ description: QueryDescription,
    _ binding: ObjectBinding,
    _ context: ObjectContext,
    keys: KeyArray,
    records: KeyArray
  ) {
    self.description = description
    self.binding = binding
    self.context = context
    self.keys = keys
    self.records = records
  }

  var count: Int { keys.count }

  /// Returns the object at an index, or `nil` if the index is out of range.
  fileprivate func object(at index: Int) throws -> ObjectBase? {
    guard index >= 0, index < keys.count else { return nil }
    return try keys.withKey(at: index) { key in
      try records.withKey(at: index) { try binding.decode(key: key, record: $0, context: context) }
    }
  }

  func index(of key: ObjectKey) -> Int? { keys.firstIndex(of: key) }

  /// Whether both have the same objects in the same order, compared by key.
  func hasSameObjects(as other: FrozenRows) -> Bool { keys == other.keys }
}

extension Results {
  /// Results with the current objects, their values and their order, which later writes do not change. If the
  /// objects cannot be read, every use of the returned results fails.
  ///
  /// The records of the objects are copied, except collections that are too large for a record. A link is
  /// followed when it is read, in the newest state, and gives a frozen object. The results of a collection
  /// that is not in a store are returned unchanged.
  package var frozenObjects: Results {
    do { return try fetchFrozenObjects() } catch { return failing(FiefError.ofQuery(error)) }
  }

  private func fetchFrozenObjects() throws -> Results {
    if frozen != nil || context.given != nil { return self }
    var (keys, records) = (KeyArray(), KeyArray())
    return try withQuery { query, running in
      let stream = RowStream(query)
      defer { running.note(stream) }
      try stream.read(in: running.environment) { row in
        keys.append(row.key)
        records.append(row.view.bytes)
        return true
      }
      var results = self
      let frozenContext = ObjectContext(store: running.store, visible: context.visible, isFrozen: true)
      results.frozen = FrozenRows(description, running.binding, frozenContext, keys: keys, records: records)
      return results
    }
  }

  /// The same query without the frozen objects, so that it reflects the newest state.
  package var thawed: Results {
    var results = self
    results.frozen = nil
    return results
  }

  /// Returns the objects of frozen results, or `nil` for results that reflect the newest state.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if the results were filtered or sorted after they were
  ///   frozen.
  func frozenRows() throws -> FrozenRows? {
    if let failure { throw failure }
    guard let frozen else { return nil }
    guard frozen.description == description else { throw frozenQueryError }
    return frozen
  }

  /// The error for running a query on frozen results.
  var frozenQueryError: FiefError {
    FiefError(
      .invalidQuery,
      "Frozen results cannot be filtered, sorted or computed. Do it before freeze(), or on the results of thaw().",
      store: context.store?.name,
      type: elementType.className()
    )
  }

  /// Returns the object at an index of frozen results, or `nil` if the index is out of range.
  func object(at index: Int, of rows: FrozenRows) throws -> Element? {
    try rows.object(at: index)?.cast(to: Element.self)
  }
}

/// The source of a loop over frozen results.
final class FrozenSource<Element: Object>: ObjectSource {
  private let results: Results<Element>
  private let rows: FrozenRows
  private var place = 0

  init(_ results: Results<Element>, _ rows: FrozenRows) {
    self.results = results
    self.rows = rows
  }

  override func next() -> ObjectBase? {
    while place < rows.count {
      defer { place += 1 }
      // Skips objects that cannot be decoded.
      if let object = results.reported(nil, { try results.object(at: place, of: rows) }) { return object }
    }
    return nil
  }
}
