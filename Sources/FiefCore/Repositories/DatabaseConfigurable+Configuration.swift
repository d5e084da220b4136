extension DatabaseConfigurable {
  /// The name of a store whose repository declares no name.
  static var defaultStoreName: String { "default" }

  /// Returns the configuration for the repository.
  ///
  /// - Throws: ``FiefError`` of code `invalidStoreName` or `invalidSchema`.
  package func configuration() throws -> StoreConfiguration {
    let name = storeName
    try StoreName.validate(name)
    let objects = try objectTypes ?? DefaultSchema.objectTypes()
    let embedded = try embeddedObjectTypes ?? DefaultSchema.embeddedTypes(usedBy: objects)
    let schema = try DeclaredSchema(objects: objects, embedded: embedded, store: name)
    var options = storeOptions
    if options.encryption == nil, StoreSandbox.isUsed, let sandbox = StoreRegistry.sandbox(of: self),
      sandbox.encryption != nil
    {
      options.encryption = sandbox.encryption(of: try StoreRegistry.shared.storageDirectory(of: self))
    }
    return StoreConfiguration(
      name: name,
      memoryType: realmMemoryType,
      parentDirectory: directory,
      schemaVersion: schemaVersion ?? 0,
      schema: schema,
      migrationBlock: migrationBlock ?? migrationPlan?.block,
      migrationPlan: migrationPlan,
      options: options
    )
  }

  /// The repository as an object; `nil` if it is a value.
  var identity: AnyObject? {
    Swift.type(of: self) is AnyClass ? self as AnyObject : nil
  }
}
