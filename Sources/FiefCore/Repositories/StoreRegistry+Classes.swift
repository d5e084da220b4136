/// The classes that a repository declares, to be compared with those of another description.
struct DeclaredClasses: Equatable, Sendable {
  /// The greatest number of descriptions of a store that are kept; no application has more.
  static let most = 32

  /// The addresses of the declared classes; nil if they are the classes of the process. The runtime has arrays of integers ready.
  private let objects: [Int]?
  private let embedded: [Int]?

  init(of repository: some DatabaseConfigurable) {
    objects = repository.objectTypes?.map { Int(bitPattern: ObjectIdentifier($0)) }
    embedded = repository.embeddedObjectTypes?.map { Int(bitPattern: ObjectIdentifier($0)) }
  }
}

extension StoreRegistry {
  /// Compares the classes of a repository with those that its store is open with.
  ///
  /// The repository may declare all of the store's classes or a part. The result of the comparison is kept
  /// with the open store.
  ///
  /// - Returns: the handle of the repository: with a part of the classes it sees their types only.
  /// - Throws: ``FiefError`` of code `migrationRequired` with every class that the store lacks or has otherwise;
  ///   `invalidSchema`.
  func checkedStore(of repository: some DatabaseConfigurable, in entry: Entry) throws -> Store {
    let classes = DeclaredClasses(of: repository)
    if let known = entry.store(for: classes) { return known }
    let schema = try repository.configuration().schema
    let differences = SchemaComparison.differences(of: schema, from: entry.core.catalogue).filter {
      // Types that the other description has besides.
      if case .removedType = $0 { false } else { true }
    }
    guard differences.isEmpty else {
      throw FiefError(
        .migrationRequired,
        "The store is open with other classes than the repository declares, at the same schema version.",
        store: entry.core.name,
        details: [
          "opened by: \(entry.opener)", "asked for by: \(type(of: repository))",
        ] + differences.map(\.description)
      )
    }
    let visible = VisibleTypes(Set(schema.descriptors.map(\.name)), of: entry.core.tables)
    let store = visible.map { Store(.success(entry.core), visible: $0) } ?? entry.store
    entry.accept(classes, store)
    return store
  }
}
