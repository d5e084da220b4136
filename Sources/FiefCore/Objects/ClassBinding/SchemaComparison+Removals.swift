extension SchemaComparison {
  /// A property or a type in the catalogue that the classes no longer declare.
  package struct Removal {
    /// The names, for errors and events.
    package let values: DroppedValues
    let entry: TypeEntry
    /// The column of the property, or `nil` if a whole type was removed.
    let column: ColumnEntry?
  }

  /// Returns the stored properties and types that a schema no longer declares, with the names that they may
  /// have now.
  ///
  /// The result contains no embedded types: their objects are part of removed properties, which are included.
  package static func removals(of schema: DeclaredSchema, from catalogue: Catalogue) -> [Removal] {
    catalogue.types.flatMap { entry -> [Removal] in
      if let descriptor = schema.descriptors.first(where: { $0.name == entry.name }) {
        return removals(of: descriptor, from: entry)
      }
      if entry.isEmbedded { return [] }
      let added = schema.descriptors.filter {
        catalogue.type(named: $0.name) == nil && !$0.isEmbedded && isLikely($0, entry)
      }
      let values = DroppedValues(type: entry.name, property: nil, likelyNames: added.map(\.name))
      return [Removal(values: values, entry: entry, column: nil)]
    }
  }

  private static func removals(of descriptor: ObjectDescriptor, from entry: TypeEntry) -> [Removal] {
    let added = descriptor.properties.filter { entry.column(named: $0.column) == nil }
    return entry.currentColumns.filter { column in
      column.type.isStored && !descriptor.properties.contains { $0.column == column.name }
    }.map { column in
      let likely = added.filter { isLikely($0.type, column.type) }.map(\.column)
      let values = DroppedValues(type: entry.name, property: column.name, likelyNames: likely)
      return Removal(values: values, entry: entry, column: column)
    }
  }

  /// Whether a new property may be the renamed old one. Its type may have become optional or required.
  private static func isLikely(_ new: ColumnType, _ old: ColumnType) -> Bool {
    var old = old
    if old.container == .none { old.isOptional = new.isOptional }
    return new == old
  }

  /// Whether a new type has most of the properties of an old type.
  private static func isLikely(_ new: ObjectDescriptor, _ old: TypeEntry) -> Bool {
    let columns = old.currentColumns.filter(\.type.isStored)
    let kept = columns.filter { column in
      new.properties.contains { $0.column == column.name && isLikely($0.type, column.type) }
    }
    return kept.count * 2 > columns.count
  }
}
