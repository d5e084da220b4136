/// The classes that a repository declares, in a form that can be compared.
struct DeclaredClasses: Equatable, Sendable {
  /// The maximum number of lists of classes that are kept for a store. It is more than an application needs.
  static let most = 32

  /// The addresses of the declared classes; `nil` if all classes of the process are used. For arrays of
  /// integers the runtime need not instantiate a type.
  private let objects: [Int]?
  private let embedded: [Int]?

  init(of repository: some DatabaseConfigurable) {
    objects = repository.objectTypes?.map { Int(bitPattern: ObjectIdentifier($0)) }
    embedded = repository.embeddedObjectTypes?.map { Int(bitPattern: ObjectIdentifier($0)) }
  }
}

extension StoreRegistry {
  /// Compares the classes of a repository with the classes with which its store is open.
  ///
  /// The repository may declare all of the store's classes or a subset. The result of the comparison is kept
  /// with the open store.
  ///
  /// - Returns: the handle for the repository. With a subset of the classes, it gives access only to their
  ///   types.
  /// - Throws: ``FiefError`` of code `migrationRequired` with every class that the store does not have or
  ///   that is declared differently; `invalidSchema`.
  func checkedStore(of repository: some DatabaseConfigurable, in entry: Entry) throws -> Store {
    let classes = DeclaredClasses(of: repository)
    if let known = entry.store(for: classes) { return known }
    let schema = try repository.configuration().schema
    // Types that a product has gained are added when a store is opened for writing, but not later.
    let all =
      entry.core.isReadOnly
      ? SchemaComparison.conflicts(of: schema, from: entry.core.catalogue)
      : SchemaComparison.differences(of: schema, from: entry.core.catalogue)
    let differences = all.filter {
      // The repository may omit types of the store.
      if case .removedType = $0 { false } else { true }
    }
    guard differences.isEmpty else {
      throw FiefError(
        .migrationRequired,
        "The store is open with classes that differ from the repository's, at the same schema version.",
        store: entry.core.name,
        details: [
          "opened by: \(entry.opener)", "requested by: \(type(of: repository))",
        ] + differences.map(\.description)
      )
    }
    let visible = VisibleTypes(Set(schema.descriptors.map(\.name)), of: entry.core.tables)
    let store = visible.map { Store(.success(entry.core), visible: $0) } ?? entry.store
    entry.accept(classes, store)
    return store
  }

  /// Returns the handle for the repository that has opened a store, if it omits types that a product manages;
  /// `nil` if it declares all types of the store.
  static func storeWithoutUndeclared(_ core: StoreCore, _ configuration: StoreConfiguration) -> Store? {
    let isComplete = core.tables.all.allSatisfy { !$0.isManaged || core.descriptor(named: $0.name) != nil }
    if isComplete { return nil }
    let declared = Set(configuration.schema.descriptors.map(\.name))
    return VisibleTypes(declared, of: core.tables).map { Store(.success(core), visible: $0) }
  }
}
