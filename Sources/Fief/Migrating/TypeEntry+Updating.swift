/// Bringing a type of the catalogue to what its class declares. Records are left as they are.
extension TypeEntry {
  /// Adds and drops columns until they are those of a class.
  ///
  /// Neither the primary key nor the layout is changed.
  ///
  /// - Throws: ``FiefError`` of code `invalidSchema` where there are no numbers left.
  mutating func updateColumns(to descriptor: ObjectDescriptor) throws {
    let prototype = descriptor.type.init()
    for property in descriptor.properties {
      if let index = columns.firstIndex(where: { $0.name == property.column && !$0.isDropped }) {
        if columns[index].type == property.type {
          columns[index].isIndexed = property.isIndexed
          columns[index].originProperty = property.originProperty
          continue
        }
        columns[index].isDropped = true
      }
      _ = try addColumn(for: property, defaultPayload: try Self.defaultPayload(of: property, in: prototype))
    }
    let declared = Set(descriptor.properties.map(\.column))
    for index in columns.indices where !declared.contains(columns[index].name) {
      columns[index].isDropped = true
    }
  }

  /// The payload that records without a new column read: the class's default, nil for nil and for an
  /// empty collection.
  static func defaultPayload(of property: PropertyDescriptor, in prototype: ObjectBase) throws -> [UInt8]? {
    guard property.type.isStored, property.type.kind != .link, property.type.kind != .embedded,
      property.type.container == .none
    else { return nil }
    return try prototype.withFields { base in
      let field = base + property.offset
      guard !property.field.isNil(field) else { return nil }
      var writer = ValueWriter()
      try property.field.append(field, to: &writer)
      return writer.bytes
    }
  }
}
