extension Results {
  /// Some properties of each object by their names, without making any object.
  ///
  /// ```swift
  /// for row in people.select(["name", "address.city"]) { print(row[0], row[1]) }
  /// ```
  /// - Parameter keyPaths: names of properties; names with dots between them lead through links to one object
  ///   and embedded objects. A collection can be selected by an aggregate of the text form: `dogs.@count`,
  ///   `dogs.@sum.age`.
  public func select(_ keyPaths: [String]) -> SelectedValues<Element> {
    SelectedValues(results: self, values: keyPaths.map(AggregatedValues.init(property:)))
  }
}

/// Some properties of the objects of ``Results``, by their names: as lazy as these.
public struct SelectedValues<Root: Object>: Sendable {
  let results: Results<Root>
  let values: [AggregatedValues]

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
  /// In a `write { }` the closure may change objects; the values are read some objects ahead of it there.
  ///
  /// - Throws: what the closure throws, and ``FiefError`` for a closed store, a damaged record, or a query that
  ///   cannot be answered.
  public func forEachRow(_ body: ([AnyRealmValue]) throws -> Void) throws {
    let values = values
    try results.forEachRow(reading: { try ValuesReader(values, $0) }, body)
  }
}

/// Reads some columns of rows as values of any type.
private final class ValuesReader: RowReader<[AnyRealmValue]> {
  private let operands: [RowOperand]
  private var writer = ValueWriter()

  /// - Throws: ``FiefError`` for properties that are no single values.
  init(_ values: [AggregatedValues], _ binder: QueryBinder) throws {
    operands = try values.map { values in
      let operand = try binder.operand(try Self.single(values, binder))
      guard operand.kind != .link, operand.kind != .embedded else {
        throw binder.invalid("An object is no value of a column.", property: values.text)
      }
      return operand
    }
  }

  /// A path through a collection remains one, which binding refuses.
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
