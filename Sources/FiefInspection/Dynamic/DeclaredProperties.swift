import FiefCore

/// The properties of an application's classes whose types cannot represent every value of their columns, such as
/// enumerations. A store does not contain these types.
package struct DeclaredProperties: Sendable {
  /// The properties by column, by type.
  private var fields: [ExactText: [ExactText: any PersistedField.Type]] = [:]

  /// Collects the properties of an application's store.
  package init(of core: StoreCore) {
    for table in core.tables.all {
      for property in table.descriptor?.properties ?? [] where property.field.mayHaveUnknown {
        fields[ExactText(table.name), default: [:]][ExactText(property.column)] = property.field
      }
    }
  }

  /// - Parameter payload: the encoded `value`.
  /// - Throws: ``FiefError`` of code `invalidValue` if the type of the property cannot represent the value.
  func check(
    _ payload: [UInt8]?,
    of value: Any,
    in column: ColumnEntry,
    of table: Table,
    _ conversion: ValueConversion
  ) throws {
    guard let payload, let field = fields[ExactText(table.name)]?[ExactText(column.name)] else { return }
    if try payload.withUnsafeBytes({ try field.hasUnknown($0, context: nil) }) {
      throw conversion.wrongType(value, expected: "a value of \(field.valueType)")
    }
  }
}
