extension DatabaseConfigurable {
  /// The name of the store that has none.
  static var defaultStoreName: String { "default" }

  /// The description as values.
  ///
  /// - Throws: ``FiefError`` of code `invalidStoreName` or `invalidSchema`.
  func configuration() throws -> StoreConfiguration {
    let name = storeName
    try StoreName.validate(name)
    let objects = objectTypes ?? DefaultSchema.objectTypes()
    let embedded = embeddedObjectTypes ?? Self.embeddedTypes(usedBy: objects)
    return StoreConfiguration(
      name: name,
      memoryType: realmMemoryType,
      parentDirectory: directory,
      schemaVersion: schemaVersion ?? 0,
      schema: try DeclaredSchema(objects: objects, embedded: embedded, store: name),
      migrationBlock: migrationBlock,
      migrationPlan: migrationPlan,
      options: storeOptions
    )
  }

  private static func embeddedTypes(usedBy objects: [Object.Type]) -> [EmbeddedObject.Type] {
    var used: Set<String> = []
    var pending: [ObjectBase.Type] = objects
    // Looking through the process takes a millisecond, so not before there is something to look for.
    lazy var known = DefaultSchema.embeddedTypes()
    var result: [EmbeddedObject.Type] = []
    while let type = pending.popLast() {
      for property in ObjectDescriptor.of(type).properties where property.type.kind == .embedded {
        guard let target = property.type.target, used.insert(target).inserted,
          let found = known.first(where: { $0.className() == target })
        else { continue }
        result.append(found)
        pending.append(found)
      }
    }
    return result
  }

  /// The object that the repository is, nil for a value.
  var identity: AnyObject? {
    Swift.type(of: self) is AnyClass ? self as AnyObject : nil
  }
}
