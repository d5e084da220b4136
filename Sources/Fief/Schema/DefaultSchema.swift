/// The classes of repositories that do not list theirs: all of the process but those that are set aside.
enum DefaultSchema {
  static func objectTypes() -> [Object.Type] {
    included(LinkedTypes.subclasses(of: Object.self)).compactMap { $0 as? Object.Type }
  }

  static func embeddedTypes() -> [EmbeddedObject.Type] {
    included(LinkedTypes.subclasses(of: EmbeddedObject.self)).compactMap { $0 as? EmbeddedObject.Type }
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
