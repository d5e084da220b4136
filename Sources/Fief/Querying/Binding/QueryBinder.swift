/// Turns names into columns and checks types, so that what a query cannot do is found out before it runs.
struct QueryBinder {
  let tables: StoreTables
  let table: Table
  let names: QueryNames

  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`.
  func condition(_ condition: QueryCondition) throws -> RowCondition { RowCondition() }

  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`.
  func operand(_ operand: QueryOperand) throws -> RowOperand { RowOperand(kind: nil) }

  /// The column that a path names directly, without a step through another object; nil for other paths.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty`.
  func column(_ path: QueryPath) throws -> ColumnEntry? {
    guard path.scope == 0, path.steps.count == 1, case .property(let name) = path.steps[0] else { return nil }
    guard let column = names.column(name, table.name).flatMap(table.entry.column(named:)) else {
      throw FiefError(
        .unknownProperty,
        "The type has no such property.",
        store: tables.storeName,
        type: table.name,
        property: name
      )
    }
    return column
  }
}
