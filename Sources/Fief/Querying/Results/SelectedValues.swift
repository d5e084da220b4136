extension Results {
  /// Some properties of each object by their names, without making any object.
  ///
  /// ```swift
  /// for row in people.select(["name", "address.city"]) { print(row[0], row[1]) }
  /// ```
  /// - Parameter keyPaths: names of properties; names with dots between them lead through links to one object and
  ///   embedded objects.
  public func select(_ keyPaths: [String]) -> SelectedValues<Element> {
    SelectedValues(results: self, paths: keyPaths.map(QueryPath.init(keyPath:)))
  }
}

/// Some properties of the objects of ``Results``, by their names: as lazy as these.
public struct SelectedValues<Root: Object>: Sendable {
  let results: Results<Root>
  let paths: [QueryPath]

  /// The values of each object, all read in one transaction.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func all() throws -> [[AnyRealmValue]] {
    var rows: [[AnyRealmValue]] = []
    try forEachRow { rows.append($0) }
    return rows
  }

  /// Calls a closure with the values of each object, all read in one transaction.
  ///
  /// - Throws: what the closure throws, and ``FiefError`` for a closed store, a damaged record, or a query that
  ///   cannot be answered.
  public func forEachRow(_ body: ([AnyRealmValue]) throws -> Void) throws {
    try results.withQuery { query, running in
      let binder = running.binder
      let operands = try paths.map { path in
        let operand = try binder.operand(.path(path))
        guard operand.kind != .link, operand.kind != .embedded else {
          throw binder.invalid("An object is no value of a column.", property: path.text)
        }
        return operand
      }
      let stream = RowStream(query)
      defer { running.note(visited: stream.visited) }
      var writer = ValueWriter()
      try stream.read(in: running.environment) { row in
        try body(
          try operands.map {
            try $0.evaluate(row, in: running.environment).read(as: AnyRealmValue.self, .any, &writer)
          }
        )
        return true
      }
    }
  }
}
