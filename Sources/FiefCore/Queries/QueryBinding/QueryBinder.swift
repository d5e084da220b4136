/// Resolves names to columns and checks types, so that errors in a query are found before it runs.
package struct QueryBinder {
  package let tables: StoreTables
  package let table: Table
  package let names: QueryNames

  package init(tables: StoreTables, table: Table, names: QueryNames) {
    self.tables = tables
    self.table = table
    self.names = names
  }

  /// Binds a condition on the records of the table. The result serves one run at a time.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`.
  package func condition(_ condition: QueryCondition) throws -> RowCondition {
    try QueryBinding(self).condition(condition)
  }

  /// Binds an operand on the records of the table. The result serves one run at a time.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`.
  func operand(_ operand: QueryOperand) throws -> RowOperand {
    try QueryBinding(self).operand(operand)
  }

  /// Returns the column that a path names directly, or `nil` if the path goes through another object.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty`.
  func column(_ path: QueryPath) throws -> ColumnEntry? {
    guard path.scope == 0, path.steps.count == 1, case .property(let name) = path.steps[0] else { return nil }
    return try column(named: name, of: table)
  }

  /// Returns the column of a property of a type.
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

  /// Returns the inverse that `@links.Type.property` refers to. Like every inverse, it is stored in no
  /// record.
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

  /// - Throws: ``FiefError`` of code `invalidQuery` if the operand belongs to a secret property.
  func checkOrder(of operand: RowOperand) throws {
    guard let secret = operand.secret else { return }
    throw invalid(
      "A secret property has no order: its indexes contain tokens, which only show whether values are equal.",
      type: secret.table.name,
      property: secret.table.propertyName(secret.column),
      details: ["compare it with == and !=, or order by another property"]
    )
  }

  /// Creates the error for an invalid query.
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
