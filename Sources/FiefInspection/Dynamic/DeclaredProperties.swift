import FiefCore

/// The properties of an application's classes whose types cannot represent every value of their columns, such as
/// enumerations. A store does not contain these types.
package struct DeclaredProperties: Sendable {
  /// The properties by column, by type.
  private var fields: [ExactText: [ExactText: any PersistedField.Type]] = [:]
  /// The encoded values that the properties have in a new object, by column and type.
  private var defaults: [ExactText: [ExactText: [UInt8]]] = [:]

  /// Collects the properties of an application's store.
  package init(of core: StoreCore) throws {
    for table in core.tables.all {
      guard let descriptor = table.descriptor else { continue }
      let properties = descriptor.properties.filter { $0.field.mayHaveUnknown }
      if properties.isEmpty { continue }
      let (name, object) = (ExactText(table.name), descriptor.type.init())
      for property in properties {
        fields[name, default: [:]][ExactText(property.column)] = property.field
        guard property.type.container == .none else { continue }
        defaults[name, default: [:]][ExactText(property.column)] = try object.withFields { base in
          let field = base + property.offset
          if property.field.isNil(field) { return nil }
          var writer = ValueWriter()
          try property.field.append(field, to: &writer)
          return writer.bytes
        }
      }
    }
  }

  /// Returns the payload of a property that is not given: the default of its class, or `nil` if the class is
  /// not needed to know it.
  func payload(ofOmitted column: ColumnEntry, of table: Table) -> [UInt8]? {
    defaults[ExactText(table.name)]?[ExactText(column.name)]
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
