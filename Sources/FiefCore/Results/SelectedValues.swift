extension Results {
  /// Returns some properties of each object, given by name. No object is created.
  ///
  /// ```swift
  /// for row in people.select(["name", "address.city"]) { print(row[0], row[1]) }
  /// ```
  /// - Parameter keyPaths: names of properties. Names separated by dots lead through links to one object and
  ///   embedded objects. To select from a collection, use an aggregate of the query language: `dogs.@count`,
  ///   `dogs.@sum.age`.
  public func select(_ keyPaths: [String]) -> SelectedValues<Element> {
    SelectedValues(results: self, values: keyPaths.map(AggregatedValues.init(property:)))
  }
}

/// Some properties of the objects of ``Results``, given by name. Like results, they are read each time you
/// use them.
public struct SelectedValues<Root: Object>: Sendable {
  let results: Results<Root>
  let values: [AggregatedValues]

  /// Returns the values of all objects, read in one transaction.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func all() throws -> [[AnyRealmValue]] {
    var rows: [[AnyRealmValue]] = []
    try forEachRow { rows.append($0) }
    return rows
  }

  /// Calls a closure with the values of each object. All values are read in one transaction.
  ///
  /// In a `write { }` the closure may change objects. Values are then read for some objects in advance.
  ///
  /// - Throws: the error of the closure, and ``FiefError`` for a closed store, a damaged record, or a query
  ///   that cannot be answered.
  public func forEachRow(_ body: ([AnyRealmValue]) throws -> Void) throws {
    let values = values
    try results.forEachRow(reading: { try ValuesReader(values, $0) }, body)
  }
}

/// A reader that extracts some columns of rows as `AnyRealmValue`s.
private final class ValuesReader: RowReader<[AnyRealmValue]> {
  private let operands: [RowOperand]
  private var writer = ValueWriter()

  /// - Throws: ``FiefError`` for properties that are not single values.
  init(_ values: [AggregatedValues], _ binder: QueryBinder) throws {
    operands = try values.map { values in
      let operand = try binder.operand(try Self.single(values, binder))
      guard operand.kind != .link, operand.kind != .embedded else {
        throw binder.invalid("An object is not a value of a column.", property: values.text)
      }
      return operand
    }
  }

  /// Keeps a path through a collection unchanged, so that binding rejects it.
  private static func single(_ values: AggregatedValues, _ binder: QueryBinder) throws -> QueryOperand {
    switch values.source {
    case .path(let path): .path(path)
    case .text(let text): try binder.operand(text: text)
    case .operand(_, let operand): operand
    }
  }

  override func values(of row: QueryRow, in environment: QueryEnvironment) throws -> [AnyRealmValue] {
    try operands.map {
      try $0.evaluate(row, in: environment).read(as: AnyRealmValue.self, .any, &writer, environment.origin)
    }
  }
}
