import Fief

/// The state of a store compared with the repository's configuration, which determines the next steps.
package enum StoreState: Sendable {
  /// The store does not exist yet. The application creates it on first use.
  case missing
  /// The store is at the declared version.
  case current(StoreInspection)
  /// The store is at an older version.
  case outdated(StoreInspection)
  /// The store is at a newer version than the program declares.
  case newer(StoreInspection)
  /// The versions are the same, but the classes differ.
  case differing(StoreInspection)
  /// The store is in the memory of the application's process.
  case memory
  /// The store cannot be read, or its repository's configuration is invalid.
  case unusable(FiefError)

  /// The inspection of the store.
  package var inspection: StoreInspection? {
    switch self {
    case .current(let seen), .outdated(let seen), .newer(let seen), .differing(let seen): seen
    case .missing, .memory, .unusable: nil
    }
  }

  /// The name of the state, for scripts.
  package var name: String {
    switch self {
    case .missing: "missing"
    case .current: "current"
    case .outdated: "outdated"
    case .newer: "newer"
    case .differing: "differing"
    case .memory: "memory"
    case .unusable(let error): ErrorAdvice(error).kind == .damaged ? "damaged" : "unusable"
    }
  }
}

extension StoreMaintenance {
  /// Inspects the store and compares it with the repository's declaration.
  package func state() -> StoreState {
    if place == .memory { return .memory }
    do {
      let configuration = try configuration.get()
      if let error = configuration.migrationPlan?.error { throw error }
      guard let seen = try inspect() else { return .missing }
      if seen.version > configuration.schemaVersion { return .newer(seen) }
      if seen.version < configuration.schemaVersion { return .outdated(seen) }
      let conflicts = SchemaComparison.conflicts(of: configuration.schema, from: seen.catalogue)
      return conflicts.isEmpty ? .current(seen) : .differing(seen)
    } catch {
      let described = FiefError.described(error, store: name)
      return .unusable(
        described as? FiefError
          ?? FiefError(.cannotOpen, "The store could not be inspected.", store: name, underlying: error)
      )
    }
  }
}
