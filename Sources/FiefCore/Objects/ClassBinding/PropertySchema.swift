/// One property of a type in the schema of a store, or in the schema that classes declare.
public struct PropertySchema: Sendable, Hashable {
  /// The name of the property's column in the store.
  public let name: String
  /// The type of the values.
  public let type: ColumnType
  /// A Boolean value that indicates whether the property alone has an index of any kind.
  public let isIndexed: Bool
  /// A Boolean value that indicates whether the property is the primary key or a part of it.
  public let isPrimaryKey: Bool
  /// A Boolean value that indicates whether indexes contain the property's values as tokens, and a primary
  /// key contains them sealed; see <doc:Encrypting>.
  public let isSecret: Bool
  /// For an inverse, the property of ``ColumnType/target`` that it follows backwards.
  public let originProperty: String?
  private let defaultPayload: [UInt8]?

  /// Creates the description of a property in a store.
  init(_ column: ColumnEntry, isIndexed: Bool, isPrimaryKey: Bool) {
    name = column.name
    type = column.type
    self.isIndexed = isIndexed
    self.isPrimaryKey = isPrimaryKey
    isSecret = column.isSecret
    originProperty = column.originProperty
    defaultPayload = column.defaultPayload
  }

  /// Creates the description of a property that a class declares.
  package init(_ property: PropertyDescriptor, isIndexed: Bool) {
    name = property.column
    type = property.type
    self.isIndexed = isIndexed
    isPrimaryKey = property.isPrimaryKey
    isSecret = property.isSecret
    originProperty = property.originProperty
    defaultPayload = nil
  }

  /// The value of the property in objects that were written before the property existed. It is `nil` if this
  /// value is nil, if there are no such objects, or if the description is of a class.
  public var defaultValue: Any? {
    guard type.kind != .embedded, type.kind != .link, let defaultPayload else { return nil }
    // The catalogue has a checksum, so its entries can be decoded.
    return try? defaultPayload.withUnsafeBytes { try DynamicPayload.value($0, type: type) }
  }
}

extension TypeEntry {
  /// The properties that are not dropped, in the order in which they were added to the store.
  package var properties: [PropertySchema] {
    currentColumns.map {
      PropertySchema($0, isIndexed: isIndexed($0.id), isPrimaryKey: primaryKey.contains($0.id))
    }
  }
}
