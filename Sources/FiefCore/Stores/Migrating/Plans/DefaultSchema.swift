/// The classes of repositories that do not list their classes: all classes of the process except excluded
/// classes.
enum DefaultSchema {
  /// - Throws: ``FiefError`` of code `invalidSchema` if the classes of the process cannot be found.
  static func objectTypes() throws(FiefError) -> [Object.Type] {
    try requireKnownImages()
    return included(LinkedTypes.subclasses(of: Object.self)).compactMap { $0 as? Object.Type }
  }

  static func embeddedTypes() throws(FiefError) -> [EmbeddedObject.Type] {
    try requireKnownImages()
    return included(LinkedTypes.subclasses(of: EmbeddedObject.self)).compactMap { $0 as? EmbeddedObject.Type }
  }

  /// Returns the embedded classes that the given classes use in their properties, at any depth.
  ///
  /// - Parameter step: the migration step whose own classes take precedence, or `nil` for the classes in use.
  /// - Throws: ``FiefError`` of code `invalidSchema` if the classes of the process cannot be found.
  static func embeddedTypes(
    usedBy objects: [Object.Type],
    in step: (any MigrationStep.Type)? = nil
  ) throws(FiefError) -> [EmbeddedObject.Type] {
    try embeddedTypes(usedBy: objects as [ObjectBase.Type], before: step)
  }

  /// Returns the embedded classes that an embedded class uses in its properties, at any depth.
  ///
  /// - Throws: ``FiefError`` of code `invalidSchema` if the classes of the process cannot be found.
  static func embeddedTypes(usedBy part: EmbeddedObject.Type) throws(FiefError) -> [EmbeddedObject.Type] {
    try embeddedTypes(usedBy: [part], before: nil)
  }

  private static func embeddedTypes(
    usedBy objects: [ObjectBase.Type],
    before step: (any MigrationStep.Type)?
  ) throws(FiefError) -> [EmbeddedObject.Type] {
    var used: Set<String> = []
    var pending: [ObjectBase.Type] = objects
    // A search of the process takes a millisecond, so it is avoided if possible.
    var known: [EmbeddedObject.Type] = []
    var isLookedFor = false
    var result: [EmbeddedObject.Type] = []
    while let type = pending.popLast() {
      for property in ObjectDescriptor.of(type).properties where property.type.kind == .embedded {
        guard let target = property.type.target, used.insert(target).inserted else { continue }
        if !isLookedFor { known = try embeddedTypes(before: step) }
        isLookedFor = true
        guard let type = known.first(where: { $0.className() == target }) else { continue }
        result.append(type)
        pending.append(type)
      }
    }
    return result
  }

  /// Returns the embedded types of a step, followed by the embedded types in use.
  private static func embeddedTypes(
    before step: (any MigrationStep.Type)?
  ) throws(FiefError) -> [EmbeddedObject.Type] {
    let inUse = try embeddedTypes()
    return step.map { embeddedTypes(in: $0) + inUse } ?? inUse
  }

  private static func embeddedTypes(in step: any MigrationStep.Type) -> [EmbeddedObject.Type] {
    let prefix = String(reflecting: step) + "."
    return LinkedTypes.subclasses(of: EmbeddedObject.self)
      .filter { String(reflecting: $0).hasPrefix(prefix) }
      .compactMap { $0 as? EmbeddedObject.Type }
  }

  private static func requireKnownImages() throws(FiefError) {
    guard let version = LoadedImages.current().unknownVersion else { return }
    throw FiefError(
      .invalidSchema,
      "The classes of the process cannot be found with this version of Swift.",
      details: [
        "sections of version \(version)",
        "name the classes in objectTypes and embeddedObjectTypes, or use a release of Fief that supports the version",
      ]
    )
  }

  /// Returns the classes without the classes that exclude themselves, and without classes of migration steps,
  /// which have the same names as the classes in use.
  private static func included(_ types: [AnyClass]) -> [AnyClass] {
    types.filter { type in
      guard let type = type as? ObjectBase.Type, type.shouldIncludeInDefaultSchema() else { return false }
      return !EnclosingTypes.areMigrationSteps(type)
    }
  }
}
