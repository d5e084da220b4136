/// One property of a type in the schema of a store, or in the one that classes declare.
public struct PropertySchema: Sendable, Hashable {
  /// The name of the property's column in the store.
  public let name: String
  /// The type of the values.
  public let type: ColumnType
  /// Whether there is an index of its values alone, of whatever kind.
  public let isIndexed: Bool
  /// Whether it is the primary key or a part of it.
  public let isPrimaryKey: Bool
  /// Whether its values are in indexes as tokens, and in a primary key sealed; see <doc:Encrypting>.
  public let isSecret: Bool
  /// For an inverse, the property of ``ColumnType/target`` that it follows back.
  public let originProperty: String?
  private let defaultPayload: [UInt8]?

  /// A property that a store has.
  init(_ column: ColumnEntry, isIndexed: Bool, isPrimaryKey: Bool) {
    name = column.name
    type = column.type
    self.isIndexed = isIndexed
    self.isPrimaryKey = isPrimaryKey
    isSecret = column.isSecret
    originProperty = column.originProperty
    defaultPayload = column.defaultPayload
  }

  /// A property that a class declares.
  package init(_ property: PropertyDescriptor, isIndexed: Bool) {
    name = property.column
    type = property.type
    self.isIndexed = isIndexed
    isPrimaryKey = property.isPrimaryKey
    isSecret = property.isSecret
    originProperty = property.originProperty
    defaultPayload = nil
  }

  /// The value of objects that are older than the property; nil where that is nil, where no object is older, and for a property
  /// that a class declares.
  public var defaultValue: Any? {
    guard type.kind != .embedded, type.kind != .link, let defaultPayload else { return nil }
    // The catalogue has a checksum: its entries are the declared ones.
    return try? defaultPayload.withUnsafeBytes { try DynamicPayload.value($0, type: type) }
  }
}

extension TypeEntry {
  /// The properties that are not dropped, in the order in which the store got them.
  package var properties: [PropertySchema] {
    currentColumns.map {
      PropertySchema($0, isIndexed: isIndexed($0.id), isPrimaryKey: primaryKey.contains($0.id))
    }
  }
}
