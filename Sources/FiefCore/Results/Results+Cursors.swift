extension Results {
  /// The objects behind the place of a cursor.
  ///
  /// ```swift
  /// let next = results.start(after: cursor).limit(20)
  /// ```
  /// A cursor of another query is refused as `invalidCursor` where the results are used.
  public func start(after cursor: QueryCursor) -> Results { starting(at: cursor, isInclusive: false) }

  /// The objects from the place of a cursor on, the one at it included.
  public func start(at cursor: QueryCursor) -> Results { starting(at: cursor, isInclusive: true) }

  /// The objects before the place of a cursor.
  ///
  /// ```swift
  /// let previous = results.end(before: cursor).limit(toLast: 20)
  /// ```
  public func end(before cursor: QueryCursor) -> Results { ending(at: cursor, isInclusive: false) }

  /// The objects up to the place of a cursor, the one at it included.
  public func end(at cursor: QueryCursor) -> Results { ending(at: cursor, isInclusive: true) }

  /// The objects behind all that have some values in the properties of the order.
  ///
  /// ```swift
  /// let adults = people.sorted(byKeyPath: "age").start(after: [17])
  /// ```
  /// Values that the properties cannot have, and more of them than there are properties, are an error of code
  /// `invalidQuery` where the results are used. The order is the one that the results have in the end.
  ///
  /// - Parameter values: a value for each property of the order; fewer match all objects that have these.
  public func start(after values: [Any?]) -> Results { starting(atValues: values, isInclusive: false) }

  /// The objects from the first on that has some values in the properties of the order.
  ///
  /// - Parameter values: a value for each property of the order; fewer match all objects that have these.
  public func start(at values: [Any?]) -> Results { starting(atValues: values, isInclusive: true) }

  /// The objects before all that have some values in the properties of the order.
  ///
  /// - Parameter values: a value for each property of the order; fewer match all objects that have these.
  public func end(before values: [Any?]) -> Results { ending(atValues: values, isInclusive: false) }

  /// The objects up to the last that has some values in the properties of the order.
  ///
  /// - Parameter values: a value for each property of the order; fewer match all objects that have these.
  public func end(at values: [Any?]) -> Results { ending(atValues: values, isInclusive: true) }

  /// The place of an object in the order of the results.
  ///
  /// It has the values of the object in memory, and stays the same when the stored object is changed or deleted.
  ///
  /// The cursor of an object in a list or a map is that of its first place.
  ///
  /// - Throws: ``FiefError`` of code `invalidCursor` for an object that was never saved, or is not in the list or
  ///   map; also for a closed store and a query that cannot be answered.
  public func cursor(for object: Element) throws -> QueryCursor {
    guard let key = try key(of: object) else {
      throw FiefError(
        .invalidCursor,
        "An object that was never saved has no place in results.",
        store: context.store?.name,
        type: Element.className()
      )
    }
    return try withQuery { query, running in
      var writer = ValueWriter()
      let start = try running.binding.encode(object, into: &writer)
      let values = try writer.withBytes { bytes in
        try key.bytes.withUnsafeBytes { key in
          let record = UnsafeRawBufferPointer(rebasing: bytes[start...])
          let row = try QueryRow(key: key, record: record, of: query.table)
          return try query.order.values(of: row, in: running.environment)
        }
      }
      return QueryCursor(
        fingerprint: fingerprint(in: running.store),
        values: values,
        key: try query.identity(ofObject: key, in: running)
      )
    }
  }

  private func starting(at cursor: QueryCursor, isInclusive: Bool) -> Results {
    bound(by: cursor, isInclusive: isInclusive) { $0.start = $1 }
  }

  private func ending(at cursor: QueryCursor, isInclusive: Bool) -> Results {
    bound(by: cursor, isInclusive: isInclusive) { $0.end = $1 }
  }

  private func starting(atValues values: [Any?], isInclusive: Bool) -> Results {
    describing {
      let values = try values.map { try $0.map { try QueryValue($0) } ?? .null }
      $0.start = QueryBound(values: values, key: nil, isInclusive: isInclusive)
    }
  }

  private func ending(atValues values: [Any?], isInclusive: Bool) -> Results {
    describing {
      let values = try values.map { try $0.map { try QueryValue($0) } ?? .null }
      $0.end = QueryBound(values: values, key: nil, isInclusive: isInclusive)
    }
  }

  /// The results with another description, in which there may be the place of a cursor.
  func bound(
    by cursor: QueryCursor?,
    isInclusive: Bool = false,
    _ change: (inout QueryDescription, QueryBound?) -> Void
  ) -> Results {
    var results = self
    let bound = cursor.map { QueryBound(values: $0.values, key: $0.key, isInclusive: isInclusive) }
    change(&results.description, bound)
    if let cursor {
      if let boundTo, boundTo != cursor.fingerprint { results.mixesCursors = true }
      results.boundTo = cursor.fingerprint
    }
    return results
  }

  /// The fingerprint that cursors of these results are bound to.
  func fingerprint(in store: StoreCore) -> UInt64 {
    description.shape.fingerprint(of: elementType, storeID: store.storeID)
  }

  /// - Throws: ``FiefError`` of code `invalidCursor` where a cursor belongs to another query, or a section to another
  ///   order.
  func checkCursors(in store: StoreCore) throws {
    if let section, section != SectionOrder(description) {
      throw FiefError(
        .invalidCursor,
        "A section that is a part of an order has no other one.",
        store: store.name,
        type: Element.className(),
        details: ["the order of a section without a limit, an offset, cursors and distinct can be changed"]
      )
    }
    guard let boundTo else { return }
    guard !mixesCursors, boundTo == fingerprint(in: store) else {
      throw FiefError(
        .invalidCursor,
        "The cursor belongs to another query.",
        store: store.name,
        type: Element.className(),
        details: ["a cursor is bound to the store, and to type, conditions, order and distinct of its query"]
      )
    }
    if let start = description.start { try checkPlace(start, in: store) }
    if let end = description.end { try checkPlace(end, in: store) }
  }

  /// The place of an object has a value for each part of the order; one that was made up may lack some.
  private func checkPlace(_ bound: QueryBound, in store: StoreCore) throws {
    guard bound.key != nil, bound.values.count != description.order.count,
      !description.order.contains(where: { $0.key == .relevance })
    else { return }
    throw FiefError(
      .invalidCursor,
      "The cursor has not the values of the query's order.",
      store: store.name,
      type: Element.className()
    )
  }
}
