import Foundation
import LMDB

extension Results {
  // MARK: Counts

  /// The number of objects.
  ///
  /// No object is made. Without a condition the store knows the count; with one that an index answers, no
  /// record is read. A count that cannot be determined is 0, and the event handler of the store gets the
  /// error; ``fetchCount()`` throws instead.
  public var count: Int { reported(0) { try fetchCount() } }

  /// The number of objects.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchCount() throws -> Int {
    if let rows = try frozenRows() { return rows.count }
    var unordered = description
    if description.start == nil, description.end == nil { unordered.order = [] }
    unordered.offset = 0
    unordered.limit = nil
    let isWhole = description.distinct.isEmpty
    let most: Int? =
      switch description.limit {
      case .first(let count)?, .last(let count)?: count
      case nil: nil
      }
    if most == 0 { return try withQuery(unordered) { _, _ in 0 } }
    // Only this number has to be found; without a condition they are counted at once.
    if let most, description.condition != nil || !isWhole {
      unordered.limit = .first(most.addingReportingOverflow(description.offset).partialValue)
      if case .first(let count)? = unordered.limit, count < 0 { unordered.limit = nil }
    }
    let total = try withQuery(unordered, for: .count) { query, running in
      if isWhole, query.bounds == nil, unordered.limit == nil {
        return try query.access.count(in: running.environment)
      }
      var count = 0
      if isWhole, query.bounds == nil, !query.isLast {
        let limit = query.limit
        _ = try query.access.forEachKey(in: running.environment) { _ in
          count += 1
          return count < limit
        }
        return count
      }
      let stream = RowStream(query)
      defer { running.note(stream) }
      try stream.read(in: running.environment) { _ in
        count += 1
        return true
      }
      return count
    }
    return Swift.min(most ?? .max, Swift.max(0, total - description.offset))
  }

  /// Whether there is no object; none is made to find out.
  public var isEmpty: Bool { reported(true) { try !fetchExists() } }

  /// Whether there is an object; none is made to find out.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchExists() throws -> Bool {
    if let rows = try frozenRows() { return rows.count > 0 }
    guard description.limit != .first(0), description.limit != .last(0) else { return try nothing(false) }
    var any = description
    any.limit = .first(1)
    if description.start == nil, description.end == nil, description.offset == 0 {
      any.order = []
      any.distinct = []
    }
    var found = false
    // Keys are enough where no found row is left out; an index has them without the records.
    let needsRows = any.start != nil || any.end != nil || any.offset > 0
    try withQuery(any, for: needsRows ? .rows : .count) { query, running in
      if needsRows {
        let stream = RowStream(query)
        defer { running.note(stream) }
        try stream.read(in: running.environment) { _ in
          found = true
          return false
        }
      } else {
        _ = try query.access.forEachKey(in: running.environment) { _ in
          found = true
          return false
        }
      }
    }
    return found
  }

  // MARK: Single objects

  /// The first object, nil where there is none.
  public var first: Element? { reported(nil) { try fetchFirst() } }

  /// The first object, nil where there is none; no other object is made.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchFirst() throws -> Element? { try fetchObject(at: 0) }

  /// The last object, nil where there is none.
  public var last: Element? { reported(nil) { try fetchLast() } }

  /// The last object, nil where there is none; no other object is made.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchLast() throws -> Element? {
    if let rows = try frozenRows() { return try object(at: rows.count - 1, of: rows) }
    var description = description
    switch description.limit {
    case .first:
      // The last of the first ones: all of them have to be found.
      return try lastOfRows(description)
    case .last(0)?: return try nothing(nil)
    case .last?, nil: description.limit = .last(1)
    }
    return try firstOfRows(description)
  }

  /// The object at a place in the order, nil beyond the end.
  ///
  /// The first look-ups of a query pass over the rows before the place, without making objects. Further ones find the keys of the rows
  /// and keep up to a million of them, for one state of the store: going through all places takes time in proportion to the rows. A
  /// loop over the results is faster still.
  ///
  /// A file that imports `FiefRealm` uses the subscript of that module, which is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> Element? { knownObject(atPlace: index) }

  /// The object at a place in the order; nil beyond the ends, and if it cannot be read, which is reported.
  package func knownObject(atPlace index: Int) -> Element? { reported(nil) { try fetchObject(at: index) } }

  /// The object at a place in the order. Beyond the ends, and if it cannot be read, it is an object in no store that cannot be saved; the
  /// event handler gets the reason, and a write on this thread fails.
  package func objectOrPlaceholder(at index: Int) -> Element {
    do {
      if let object = try fetchObject(at: index) { return object }
      reportOutOfBounds(index)
    } catch { reportFailure(error) }
    return elementType.standIn()
  }

  /// Reports an index beyond the ends, and fails the write on this thread.
  package func reportOutOfBounds(_ index: Int) {
    let count = count
    context.emit { .indexOutOfBounds(store: $0, type: elementType.className(), index: index, count: count) }
    guard let write = context.readingScope as? WriteTransaction else { return }
    write.fail(
      FiefError(
        .invalidValue,
        "An index is beyond the ends of the results.",
        store: context.store?.name,
        type: elementType.className(),
        details: ["the index: \(index)", "the count: \(count)"]
      )
    )
  }

  /// The object at a place in the order, nil beyond the end; no other object is made.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchObject(at index: Int) throws -> Element? {
    guard index >= 0 else { return nil }
    if let rows = try frozenRows() { return try object(at: index, of: rows) }
    if known != nil, let object = try knownObject(at: index) { return object }
    if case .first(let count)? = description.limit, index >= count { return try nothing(nil) }
    return try withRunning { running in
      try running.object(at: index, of: description)?.cast(to: Element.self)
    }
  }

  /// A result that needs no data, once the query is known to be valid and the store open.
  private func nothing<Value>(_ value: Value) throws -> Value { try withQuery { _, _ in value } }

  private func firstOfRows(_ description: QueryDescription) throws -> Element? {
    var object: Element?
    try forEachRow(description) { row, running in
      object = try running.prefetchedObject(row, as: Element.self)
      return false
    }
    return object
  }

  private func lastOfRows(_ description: QueryDescription) throws -> Element? {
    try withQuery(description) { query, running in
      let stream = RowStream(query)
      defer { running.note(stream) }
      var key: ObjectKey?
      try stream.read(in: running.environment) { row in
        key = ObjectKey(row.key)
        return true
      }
      return try key.flatMap { try running.object(ofKey: $0) }?.cast(to: Element.self)
    }
  }

  // MARK: Places

  /// The key that an object has among these; nil where it has none, or is of another class.
  func key(of object: Element) throws -> ObjectKey? {
    if elementType != Element.self, Swift.type(of: object) != elementType { return nil }
    if let given = context.given { return try given.key(of: object) }
    guard let store = context.store else { return try object.keyInQueries }
    return try object.key(in: store)
  }

  /// The place of an object in the order, nil where it is none of the results.
  ///
  /// The object is found by its key; its values do not matter.
  public func index(of object: Element) -> Int? { reported(nil) { try fetchIndex(of: object) } }

  /// The place of an object in the order, nil where it is none of the results.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchIndex(of object: Element) throws -> Int? {
    guard let key = try key(of: object) else { return nil }
    if let rows = try frozenRows() { return rows.index(of: key) }
    var place = 0
    var isFound = false
    try forEachRow { row, _ in
      isFound = key.bytes.elementsEqual(row.key)
      if !isFound { place += 1 }
      return !isFound
    }
    return isFound ? place : nil
  }

  /// Whether an object is among the results, by its key.
  public func contains(_ object: Element) -> Bool { reported(false) { try fetchContains(object) } }

  /// Whether an object is among the results, by its key.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchContains(_ object: Element) throws -> Bool {
    guard let key = try key(of: object) else { return false }
    if let rows = try frozenRows() { return rows.index(of: key) != nil }
    let isWhole =
      description.distinct.isEmpty && description.start == nil && description.end == nil
      && description.offset == 0 && description.limit == nil
    guard isWhole else { return try fetchIndex(of: object) != nil }
    return try filtered(by: .isKey(key, of: elementType.className())).fetchExists()
  }
}

extension QueryCondition {
  /// The condition that an object is the one with a key.
  static func isKey(_ key: ObjectKey, of type: String) -> QueryCondition {
    .comparison(.path(.element), .equal, .value(.object(type: type, key: key)))
  }
}

extension Results {
  /// The place of the first object for which a condition holds, nil where there is none; no object is made.
  ///
  /// ```swift
  /// let place = people.sorted(byKeyPath: \.name).index(matching: { $0.age > 30 })
  /// ```
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    reported(nil) { try fetchIndex(matching: isIncluded) }
  }

  /// The place of the first object for which a condition holds, nil where there is none; no object is made.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchIndex(matching isIncluded: (Query<Element>) -> Query<Bool>) throws -> Int? {
    try place(of: try TypedQuery.condition(isIncluded))
  }
}
