extension Migration {
  /// Keeps the values of a property under a new name. Takes the same time for any number of objects, if it
  /// is called before the type's objects are changed: the values stay where they are, with the index and the
  /// links of the property.
  ///
  /// The new type may be another one, if values of the old one are converted without the block: a wider
  /// integer, say. Nil becomes the class's default where the new property is required. Where not every value
  /// fits the new type, objects are converted one by one, and a value that does not fit ends the migration
  /// with an error. A property that does not exist, and any other type, do as well.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - oldName: the property's name in the old schema.
  ///   - newName: its name in the new one.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    attempt(()) { try rename(typeName, oldName, newName) }
  }

  private func rename(_ typeName: String, _ oldName: String, _ newName: String) throws {
    guard let oldEntry = old[typeName]?.entry, let oldColumn = oldEntry.column(named: oldName),
      let index = catalogue.types.firstIndex(where: { $0.name == typeName }),
      let newColumn = catalogue.types[index].column(named: newName)
    else {
      throw FiefError(
        .unknownProperty,
        "There is no such property to rename.",
        store: configuration.name,
        type: typeName,
        property: "\(oldName) to \(newName)"
      )
    }
    guard
      oldColumn.type == newColumn.type
        || MigrationConversion.isConvertible(from: oldColumn.type, to: newColumn.type)
    else {
      throw FiefError(
        .invalidSchema,
        "The values of the renamed property cannot become those of its new type; convert them in the block.",
        store: configuration.name,
        type: typeName,
        property: newName,
        details: ["old: \(oldColumn.type)", "new: \(newColumn.type)"]
      )
    }
    if oldColumn.id == newColumn.id { return }
    if try !rewritten.contains(typeName) && keepColumn(oldColumn, of: oldEntry, at: index, as: newColumn) {
      return
    }
    enumerateObjects(ofType: typeName) { old, new in
      let value = old?[oldName]
      // Nil becomes the default where the property is now required.
      if value == nil, !newColumn.type.isOptional, newColumn.type.container == .none { return }
      new?[newName] = value
    }
  }

  /// Lets the old column go on under the new name.
  ///
  /// - Returns: false where its values have to be converted one by one.
  private func keepColumn(
    _ oldColumn: ColumnEntry,
    of oldEntry: TypeEntry,
    at index: Int,
    as newColumn: ColumnEntry
  ) throws -> Bool {
    var entry = catalogue.types[index]
    let wasKey = oldEntry.primaryKey.contains(oldColumn.id)
    guard try entry.rename(oldColumn.id, to: newColumn, wasKey: wasKey) else { return false }
    catalogue.types[index] = entry
    try Migrator.reopenTables(of: self)
    try MigrationIndexes(migration: self, stored: oldEntry).moveNil(ofColumn: oldColumn.id)
    return true
  }
}
