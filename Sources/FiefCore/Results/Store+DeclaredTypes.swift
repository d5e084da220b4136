extension Store {
  /// The classes that the handle sees, by name.
  ///
  /// - Throws: ``FiefError`` where the store is not open.
  package func declaredTypes() throws -> [DeclaredType] {
    let core = try core()
    return core.tables.all.filter { visible?.contains($0.name) ?? true }
      .compactMap { core.descriptor(named: $0.name) }.sorted { $0.name < $1.name }.map {
        DeclaredType($0.type)
      }
  }

  /// The class of a type's name that is no embedded one.
  ///
  /// - Throws: ``FiefError`` of code `unknownType` where the handle has none, and where the store is not open.
  package func declaredClass(named name: String) throws -> Object.Type {
    let core = try core()
    if visible?.contains(name) ?? true, let type = core.descriptor(named: name)?.type as? Object.Type {
      return type
    }
    throw FiefError(
      .unknownType,
      "The store has no objects of a type of that name.",
      store: core.name,
      type: name
    )
  }

  /// The objects of the class of a type's name; results that fail where the handle has none, or is not open.
  package func objects(named name: String) -> Results<Object> {
    do { return objects(try declaredClass(named: name)) } catch {
      let unexpected = FiefError(.unknownType, "The store has no such type.", type: name, underlying: error)
      return Results(failure: error as? FiefError ?? unexpected, context: newest)
    }
  }

  /// The properties of the open store: the identifier of one in memory, whether it is in memory and for
  /// reading only, and the version of its schema.
  ///
  /// - Throws: ``FiefError`` where the store is not open.
  package func openedAs() throws -> (
    identifier: String?, isInMemory: Bool, isReadOnly: Bool, schemaVersion: UInt64
  ) {
    let core = try core()
    return (core.memoryIdentifier, core.isInMemory, core.isReadOnly, core.catalogue.schemaVersion)
  }
}
