/// Turns names into columns and checks types, so that errors in a query are found before it runs.
package struct QueryBinder {
  package let tables: StoreTables
  package let table: Table
  package let names: QueryNames

  package init(tables: StoreTables, table: Table, names: QueryNames) {
    self.tables = tables
    self.table = table
    self.names = names
  }

  /// A condition on the records of the table. It belongs to one run at a time.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`.
  package func condition(_ condition: QueryCondition) throws -> RowCondition {
    try QueryBinding(self).condition(condition)
  }

  /// An operand on the records of the table. It belongs to one run at a time.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`.
  func operand(_ operand: QueryOperand) throws -> RowOperand {
    try QueryBinding(self).operand(operand)
  }

  /// The column that a path names directly, without a step through another object; nil for other paths.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty`.
  func column(_ path: QueryPath) throws -> ColumnEntry? {
    guard path.scope == 0, path.steps.count == 1, case .property(let name) = path.steps[0] else { return nil }
    return try column(named: name, of: table)
  }

  /// The column that a property of a type has.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty`.
  package func column(named name: String, of table: Table) throws -> ColumnEntry {
    if let column = names.column(name, table.name).flatMap(table.entry.column(named:)) { return column }
    if let column = inverse(named: name, of: table) { return column }
    throw FiefError(
      .unknownProperty,
      "The type has no such property.",
      store: tables.storeName,
      type: table.name,
      property: name,
      details: NearestName.details(for: name, among: table.entry.currentColumns.map(\.name))
    )
  }

  /// The inverse that `@links.Type.property` names: a column that is in no record, as all inverses are.
  private func inverse(named name: String, of table: Table) -> ColumnEntry? {
    guard let origin = QueryTextSchema.origin(name), let source = tables[origin.type],
      let column = names.column(origin.property, origin.type).flatMap(source.entry.column(named:)),
      column.type.kind == .link, column.type.target == table.name
    else { return nil }
    return ColumnEntry(
      id: .max,
      name: name,
      type: ColumnType(.linkingObjects, target: source.name),
      originProperty: origin.property
    )
  }

  /// - Throws: ``FiefError`` of code `invalidQuery` where the operand is a secret property's.
  func checkOrder(of operand: RowOperand) throws {
    guard let secret = operand.secret else { return }
    throw invalid(
      "A secret property has no order: its indexes have tokens of the values, which say whether values are equal, and no more.",
      type: secret.table.name,
      property: secret.table.propertyName(secret.column),
      details: ["compare it with == and !=, or order by another property"]
    )
  }

  /// An error of a query.
  package func invalid(
    _ message: String,
    type: String? = nil,
    property: String? = nil,
    details: [String] = []
  ) -> FiefError {
    FiefError(
      .invalidQuery,
      message,
      store: tables.storeName,
      type: type ?? table.name,
      property: property,
      details: details
    )
  }
}
