import FiefCore

/// The properties of an application's classes whose types cannot represent every value of their columns, such as
/// enumerations. A store does not contain these types.
package struct DeclaredProperties: Sendable {
  /// The properties by column, by type.
  private var fields: [ExactText: [ExactText: any PersistedField.Type]] = [:]
  /// The encoded defaults of required enumerations, by column and type.
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
        guard property.type.container == .none, !property.type.isOptional else { continue }
        defaults[name, default: [:]][ExactText(property.column)] = try object.withFields { base in
          var writer = ValueWriter()
          try property.field.append(base + property.offset, to: &writer)
          return writer.bytes
        }
      }
    }
  }

  /// Returns the encoded default that the class declares for an omitted enumeration, or `nil` for any other
  /// property.
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
