extension Store {
  /// Returns the handle's classes, sorted by name.
  ///
  /// - Throws: ``FiefError`` if the store is not open.
  package func declaredTypes() throws -> [DeclaredType] {
    let core = try core()
    return core.tables.all.filter { visible?.contains($0.name) ?? true }
      .compactMap { core.descriptor(named: $0.name) }.sorted { $0.name < $1.name }.map {
        DeclaredType($0.type)
      }
  }

  /// Returns the class with a type's name, if it is not an embedded class.
  ///
  /// - Throws: ``FiefError`` of code `unknownType` if the handle has no such class, and if the store is not
  ///   open.
  package func declaredClass(named name: String) throws -> Object.Type {
    let core = try core()
    if visible?.contains(name) ?? true, let type = core.descriptor(named: name)?.type as? Object.Type {
      return type
    }
    throw FiefError(
      .unknownType,
      "The store has no type with that name.",
      store: core.name,
      type: name
    )
  }

  /// Returns the objects of the class with a type's name. If the handle has no such class or is not open,
  /// every use of the results fails.
  package func objects(named name: String) -> Results<Object> {
    do { return objects(try declaredClass(named: name)) } catch {
      let unexpected = FiefError(.unknownType, "The store has no such type.", type: name, underlying: error)
      return Results(failure: error as? FiefError ?? unexpected, context: newest)
    }
  }

  /// Returns properties of the open store: its identifier if it is in memory, whether it is in memory,
  /// whether it is read-only, and its schema version.
  ///
  /// - Throws: ``FiefError`` if the store is not open.
  package func openedAs() throws -> (
    identifier: String?, isInMemory: Bool, isReadOnly: Bool, schemaVersion: UInt64
  ) {
    let core = try core()
    return (core.memoryIdentifier, core.isInMemory, core.isReadOnly, core.catalogue.schemaVersion)
  }
}
