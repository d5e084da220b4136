extension Results {
  /// Returns the objects after the position of a cursor.
  ///
  /// ```swift
  /// let next = results.start(after: cursor).limit(20)
  /// ```
  /// Using a cursor of another query is an error of code `invalidCursor` when the results are used.
  public func start(after cursor: QueryCursor) -> Results { starting(at: cursor, isInclusive: false) }

  /// Returns the objects from the position of a cursor on, including the object at the cursor.
  public func start(at cursor: QueryCursor) -> Results { starting(at: cursor, isInclusive: true) }

  /// Returns the objects before the position of a cursor.
  ///
  /// ```swift
  /// let previous = results.end(before: cursor).limit(toLast: 20)
  /// ```
  public func end(before cursor: QueryCursor) -> Results { ending(at: cursor, isInclusive: false) }

  /// Returns the objects up to the position of a cursor, including the object at the cursor.
  public func end(at cursor: QueryCursor) -> Results { ending(at: cursor, isInclusive: true) }

  /// Returns the objects that follow all objects with the given values in the order.
  ///
  /// ```swift
  /// let adults = people.sorted(byKeyPath: "age").start(after: [17])
  /// ```
  /// If a property cannot have its value, or if there are more values than properties in the order, using the
  /// results is an error of code `invalidQuery`. The values refer to the final order of the results, even if
  /// it is set later.
  ///
  /// - Parameter values: a value for each property of the order. If there are fewer values, they match all
  ///   objects that begin with these values.
  public func start(after values: [Any?]) -> Results { starting(atValues: values, isInclusive: false) }

  /// Returns the objects from the first object with the given values on.
  ///
  /// - Parameter values: a value for each property of the order. If there are fewer values, they match all
  ///   objects that begin with these values.
  public func start(at values: [Any?]) -> Results { starting(atValues: values, isInclusive: true) }

  /// Returns the objects that precede all objects with the given values in the order.
  ///
  /// - Parameter values: a value for each property of the order. If there are fewer values, they match all
  ///   objects that begin with these values.
  public func end(before values: [Any?]) -> Results { ending(atValues: values, isInclusive: false) }

  /// Returns the objects up to the last object with the given values.
  ///
  /// - Parameter values: a value for each property of the order. If there are fewer values, they match all
  ///   objects that begin with these values.
  public func end(at values: [Any?]) -> Results { ending(atValues: values, isInclusive: true) }

  /// Returns the position of an object in the order of the results.
  ///
  /// The cursor contains the values of the object in memory. It stays valid when the stored object is changed
  /// or deleted.
  ///
  /// In a list or a map, the cursor of an object refers to the first position of the object.
  ///
  /// - Throws: ``FiefError`` of code `invalidCursor` for an object that was never saved, or is not in the
  ///   list or map; also for a closed store and a query that cannot be answered.
  public func cursor(for object: Element) throws -> QueryCursor {
    guard let key = try key(of: object) else {
      throw FiefError(
        .invalidCursor,
        "An object that was never saved has no position in results.",
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

  /// Returns the results with a changed description. `change` may set the position of a cursor.
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

  /// Returns the fingerprint of cursors of these results.
  func fingerprint(in store: StoreCore) -> UInt64 {
    description.shape.fingerprint(of: elementType, storeID: store.storeID)
  }

  /// - Throws: ``FiefError`` of code `invalidCursor` if a cursor belongs to another query, or a section to
  ///   another order.
  func checkCursors(in store: StoreCore) throws {
    if let section, section != SectionOrder(description) {
      throw FiefError(
        .invalidCursor,
        "The order of a section cannot be changed if the section is a range of an order.",
        store: store.name,
        type: Element.className(),
        details: ["only a section without limit, offset, cursors and distinct can have a different order"]
      )
    }
    guard let boundTo else { return }
    guard !mixesCursors, boundTo == fingerprint(in: store) else {
      throw FiefError(
        .invalidCursor,
        "The cursor belongs to another query.",
        store: store.name,
        type: Element.className(),
        details: ["a cursor belongs to its store and its query's type, conditions, order and distinct"]
      )
    }
    if let start = description.start { try checkPlace(start, in: store) }
    if let end = description.end { try checkPlace(end, in: store) }
  }

  /// Checks that the cursor of an object has a value for each part of the order. Bounds without a key may
  /// have fewer.
  private func checkPlace(_ bound: QueryBound, in store: StoreCore) throws {
    guard bound.key != nil, bound.values.count != description.order.count,
      !description.order.contains(where: { $0.key == .relevance })
    else { return }
    throw FiefError(
      .invalidCursor,
      "The cursor's values do not match the query's order.",
      store: store.name,
      type: Element.className()
    )
  }
}
