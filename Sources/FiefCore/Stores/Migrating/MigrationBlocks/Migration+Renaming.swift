extension Migration {
  /// Keeps the values of a property under a new name, together with its index, its links and its position in
  /// the primary key. Records are not rewritten for a rename.
  ///
  /// The block restarts with the new name, so call this method first. If the type of the property or the type
  /// to which it links is renamed too, call ``renameType(from:to:)`` before.
  ///
  /// The property may also change its type if its values can be converted without the block, for example to a
  /// wider integer. If the new property is required, nil becomes the class's default. If not every value fits
  /// the new type, the objects are converted one by one, and a value that does not fit ends the migration
  /// with an error. An unknown property and any other change of type also end the migration with an error.
  ///
  /// - Parameters:
  ///   - typeName: the type's name in the new schema.
  ///   - oldName: the property's name in the old schema.
  ///   - newName: the property's name in the new schema.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    rename { stage, names in
      let column = stage.columnName(newName, of: typeName)
      let name = MigrationRenames.Property(type: typeName, from: oldName, to: column)
      if names.properties.contains(name) { return false }
      try checkRename(name, besides: names, in: stage)
      names.properties.insert(name)
      return true
    }
  }

  /// Keeps the objects of a type under a new name, together with all links to them. Records are not rewritten
  /// for a rename.
  ///
  /// The block restarts with the new name, so call this method first. The migration ends with an error unless
  /// only the old schema has the old name and only the new schema has the new name.
  ///
  /// - Parameters:
  ///   - oldName: the type's name in the old schema.
  ///   - newName: the type's name in the new schema.
  public func renameType(from oldName: String, to newName: String) {
    rename { stage, names in
      if names.formerTypeNames[newName] == oldName { return false }
      guard let old = stage.old.tables[oldName], let new = stage.descriptor(newName),
        stage.old.tables[newName] == nil, stage.descriptor(oldName) == nil,
        old.entry.isEmbedded == new.isEmbedded
      else {
        throw FiefError(
          .unknownType,
          "The type to rename does not exist, or the new name is taken.",
          store: configuration.name,
          type: "\(oldName) to \(newName)"
        )
      }
      names.formerTypeNames[newName] = oldName
      return true
    }
  }

  /// Ends this run of the block and adds a name for the next run.
  ///
  /// - Parameter body: adds a name, and returns whether the name is new.
  private func rename(_ body: (MigrationStage, inout MigrationRenames) throws -> Bool) {
    if let restart = failure as? MigrationRestart, let stage, restart.stage == stageCount - 1 {
      // The rest of this run has no effect. Renames that directly follow the first one are collected, so that
      // the block does not restart for each of them.
      var names = restart.renames
      do {
        _ = try body(stage, &names)
        failure = MigrationRestart(stage: restart.stage, renames: names)
      } catch {
        failure = error
      }
      return
    }
    attempt(()) { stage in
      let index = stageCount - 1
      var names = index < renames.count ? renames[index] : MigrationRenames()
      if try body(stage, &names) { throw MigrationRestart(stage: index, renames: names) }
    }
  }

  /// - Parameter names: the names from earlier calls in this run, possibly for the type itself.
  private func checkRename(
    _ name: MigrationRenames.Property,
    besides names: MigrationRenames,
    in stage: MigrationStage
  ) throws {
    let formerType = names.formerTypeNames[name.type] ?? name.type
    guard let old = stage.old.table(formerType)?.entry.column(named: name.from),
      let new = stage.descriptor(name.type)?.properties.first(where: { $0.column == name.to })
    else {
      throw FiefError(
        .unknownProperty,
        "The property to rename does not exist.",
        store: configuration.name,
        type: name.type,
        property: "\(name.from) to \(name.to)"
      )
    }
    var type = old.type
    if let target = type.target {
      type.target = names.formerTypeNames.first { $0.value == target }?.key ?? target
    }
    guard type == new.type || MigrationConversion.isConvertible(from: type, to: new.type) else {
      throw FiefError(
        .invalidSchema,
        "The renamed property's values cannot be converted to its new type; convert them in the block.",
        store: configuration.name,
        type: name.type,
        property: name.to,
        details: ["old: \(old.type)", "new: \(new.type)"]
      )
    }
  }
}

extension EarlierState {
  /// Returns the new name of a type.
  func currentName(of name: String) -> String {
    formerNames.first { $0.value == name }?.key ?? name
  }
}
