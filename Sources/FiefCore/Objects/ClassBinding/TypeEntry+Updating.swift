/// Updating a type of the catalogue to the declaration of its class. Records are not changed.
extension TypeEntry {
  /// Adds, changes and drops columns until they match a class.
  ///
  /// A column keeps its ID and its trees if its new type can represent all of its values. A property with any
  /// other new type gets a new column. Neither the primary key nor the layout is changed.
  ///
  /// - Throws: ``FiefError`` of code `invalidSchema` if no column numbers are left.
  mutating func updateColumns(to descriptor: ObjectDescriptor) throws {
    // Existing objects have no creation time, so their default is not the current time.
    let prototype = CreationDate.withoutClock(descriptor.dateCount) { descriptor.type.init() }
    var changed: [UInt16] = []
    var turned: [UInt16] = []
    for property in descriptor.properties {
      let defaultPayload = try Self.defaultPayload(of: property, in: prototype)
      if let index = columns.firstIndex(where: { $0.name == property.column && !$0.isDropped }) {
        if columns[index].isSecret != property.isSecret { turned.append(columns[index].id) }
        columns[index].isSecret = property.isSecret
        let isSame = columns[index].type == property.type
        if isSame || changeType(ofColumnAt: index, to: property, nilPayload: defaultPayload) {
          if !isSame { changed.append(columns[index].id) }
          columns[index].originProperty = property.originProperty
          continue
        }
        columns[index].isDropped = true
      }
      _ = try addColumn(for: property, defaultPayload: defaultPayload)
    }
    let declared = Set(descriptor.properties.map(\.column))
    for index in columns.indices where !declared.contains(columns[index].name) {
      columns[index].isDropped = true
    }
    try updateIndexes(to: descriptor.indexes, changed: changed, turned: turned)
    updateRules(to: descriptor)
  }

  /// Gives a column the type of its property, if this does not require rewriting records.
  private mutating func changeType(
    ofColumnAt index: Int,
    to property: PropertyDescriptor,
    nilPayload: [UInt8]?
  ) -> Bool {
    let isKey = primaryKey.contains(columns[index].id)
    guard isKey == property.isPrimaryKey else { return false }
    return changeType(ofColumnAt: index, to: property.type, isKey: isKey, nilPayload: nilPayload)
  }

  private mutating func changeType(
    ofColumnAt index: Int,
    to type: ColumnType,
    isKey: Bool,
    nilPayload: [UInt8]?
  ) -> Bool {
    let column = columns[index]
    guard column.type.isReadable(as: type) else { return false }
    guard isKey else {
      return columns[index].change(to: type, after: lastLayoutVersion, nilPayload: nilPayload)
    }
    // Integers of all widths have the same encoding in a key, but a key that contains nil would change.
    if column.type.isOptional, !type.isOptional { return false }
    columns[index].type = type
    return true
  }

  private var lastLayoutVersion: UInt16 { UInt16(truncatingIfNeeded: layouts.count - 1) }

  /// Returns the payload that records without a new column read: the class's default, or `nil` for nil and
  /// for an empty collection.
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
