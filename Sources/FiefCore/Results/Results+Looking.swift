import Foundation
import LMDB

extension Results {
  // MARK: Counts

  /// The number of objects.
  ///
  /// No object is created. Without a condition, the store provides the count without reading records. If an
  /// index answers the condition, no record is read. If the count cannot be determined, it is 0 and the
  /// store's event handler receives the error; ``fetchCount()`` throws instead.
  public var count: Int { reported(0) { try fetchCount() } }

  /// Returns the number of objects.
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
    // Counting can stop at this number. Without a condition, the count is known without a loop.
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

  /// A Boolean value that indicates whether there are no objects. No object is created.
  public var isEmpty: Bool { reported(true) { try !fetchExists() } }

  /// Returns a Boolean value that indicates whether any object exists. No object is created.
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
    // Keys are enough if no row must be skipped. An index provides keys without reading records.
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

  /// The first object, or `nil` if there are no objects.
  public var first: Element? { reported(nil) { try fetchFirst() } }

  /// Returns the first object, or `nil` if there are no objects. No other object is created.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchFirst() throws -> Element? { try fetchObject(at: 0) }

  /// The last object, or `nil` if there are no objects.
  public var last: Element? { reported(nil) { try fetchLast() } }

  /// Returns the last object, or `nil` if there are no objects. No other object is created.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchLast() throws -> Element? {
    if let rows = try frozenRows() { return try object(at: rows.count - 1, of: rows) }
    var description = description
    switch description.limit {
    case .first:
      // To find the last of the first objects, all of them must be found.
      return try lastOfRows(description)
    case .last(0)?: return try nothing(nil)
    case .last?, nil: description.limit = .last(1)
    }
    return try firstOfRows(description)
  }

  /// Returns the object at an index, or `nil` if the index is out of range.
  ///
  /// The first lookups of a query skip the rows before the index without creating objects. Later lookups use
  /// a list of the keys of the rows, up to a million, which is valid for one state of the store. Accessing
  /// all indexes one after the other therefore takes time in proportion to the number of rows. A loop over
  /// the results is faster still.
  ///
  /// In a file that imports `FiefRealm`, this module's subscript is used, which is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> Element? { knownObject(atPlace: index) }

  /// Returns the object at an index, or `nil` if the index is out of range or the object cannot be read. An
  /// error is reported.
  package func knownObject(atPlace index: Int) -> Element? { reported(nil) { try fetchObject(at: index) } }

  /// Returns the object at an index. If the index is out of range or the object cannot be read, returns an
  /// object that is not in a store and cannot be saved; the event handler receives the error, and a write on
  /// this thread fails.
  package func objectOrPlaceholder(at index: Int) -> Element {
    do {
      if let object = try fetchObject(at: index) { return object }
      reportOutOfBounds(index)
    } catch { failWrite(error) }
    return elementType.standIn()
  }

  /// Reports an error of a read that cannot throw, and makes the write on this thread fail.
  func failWrite(_ error: any Error) {
    reportFailure(error)
    guard let write = context.readingScope as? WriteTransaction else { return }
    write.fail(write.store.described(error, type: elementType.className()))
  }

  /// Reports an index out of range, and makes the write on this thread fail.
  ///
  /// - Parameter count: the number of valid indexes; nil for the number of objects.
  package func reportOutOfBounds(_ index: Int, count: Int? = nil) {
    let count = count ?? self.count
    context.emit { .indexOutOfBounds(store: $0, type: elementType.className(), index: index, count: count) }
    guard let write = context.readingScope as? WriteTransaction else { return }
    write.fail(
      FiefError(
        .invalidValue,
        "An index is out of the bounds of the results.",
        store: context.store?.name,
        type: elementType.className(),
        details: ["the index: \(index)", "the count: \(count)"]
      )
    )
  }

  /// Returns the object at an index, or `nil` if the index is out of range. No other object is created.
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

  /// Returns a value for which nothing must be read, after checking that the query is valid and the store is
  /// open.
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

  // MARK: Positions

  /// Returns the key of an object in the store of the results; `nil` if the object has no key or is of
  /// another class.
  func key(of object: Element) throws -> ObjectKey? {
    if elementType != Element.self, Swift.type(of: object) != elementType { return nil }
    if let given = context.given { return try given.key(of: object) }
    guard let store = context.store else { return try object.keyInQueries }
    return try object.key(in: store)
  }

  /// Returns the index of an object, or `nil` if the results do not contain it.
  ///
  /// The object is found by its key; its other values do not matter.
  public func index(of object: Element) -> Int? { reported(nil) { try fetchIndex(of: object) } }

  /// Returns the index of an object, or `nil` if the results do not contain it.
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

  /// Returns a Boolean value that indicates whether the results contain an object. Objects are compared by
  /// key.
  public func contains(_ object: Element) -> Bool { reported(false) { try fetchContains(object) } }

  /// Returns a Boolean value that indicates whether the results contain an object. Objects are compared by
  /// key.
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
  /// Returns a condition that only the object with the given key meets.
  static func isKey(_ key: ObjectKey, of type: String) -> QueryCondition {
    .comparison(.path(.element), .equal, .value(.object(type: type, key: key)))
  }
}

extension Results {
  /// Returns the index of the first object that meets a condition, or `nil` if no object meets it. No object
  /// is created.
  ///
  /// ```swift
  /// let place = people.sorted(byKeyPath: \.name).index(matching: { $0.age > 30 })
  /// ```
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    reported(nil) { try fetchIndex(matching: isIncluded) }
  }

  /// Returns the index of the first object that meets a condition, or `nil` if no object meets it. No object
  /// is created.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchIndex(matching isIncluded: (Query<Element>) -> Query<Bool>) throws -> Int? {
    try place(of: try TypedQuery.condition(isIncluded))
  }
}
