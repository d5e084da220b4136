/// The classes of repositories that do not list theirs: all of the process but those that are set aside.
enum DefaultSchema {
  static func objectTypes() -> [Object.Type] {
    included(LinkedTypes.subclasses(of: Object.self)).compactMap { $0 as? Object.Type }
  }

  static func embeddedTypes() -> [EmbeddedObject.Type] {
    included(LinkedTypes.subclasses(of: EmbeddedObject.self)).compactMap { $0 as? EmbeddedObject.Type }
  }

  /// The embedded classes that some classes have properties of, at any depth.
  ///
  /// - Parameter step: the step of a migration whose own classes come first; nil for the classes in use.
  static func embeddedTypes(
    usedBy objects: [Object.Type],
    in step: (any MigrationStep.Type)? = nil
  ) -> [EmbeddedObject.Type] {
    var used: Set<String> = []
    var pending: [ObjectBase.Type] = objects
    // Looking through the process takes a millisecond, so not before there is something to look for.
    lazy var known = step.map { embeddedTypes(in: $0) + embeddedTypes() } ?? embeddedTypes()
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

  private static func embeddedTypes(in step: any MigrationStep.Type) -> [EmbeddedObject.Type] {
    let prefix = String(reflecting: step) + "."
    return LinkedTypes.subclasses(of: EmbeddedObject.self)
      .filter { String(reflecting: $0).hasPrefix(prefix) }
      .compactMap { $0 as? EmbeddedObject.Type }
  }

  /// Leaves out classes that say so themselves, and those of the steps of migrations, which have the names
  /// of the ones in use.
  private static func included(_ types: [AnyClass]) -> [AnyClass] {
    types.filter { type in
      guard let type = type as? ObjectBase.Type, type.shouldIncludeInDefaultSchema() else { return false }
      return !EnclosingTypes.areMigrationSteps(type)
    }
  }
}
