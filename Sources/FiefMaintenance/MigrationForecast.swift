import Fief

/// The effects of a migration on a store, computed without running it.
package struct MigrationForecast: Sendable {
  /// A step of the repository's plan that the store lacks.
  package struct Step: Sendable {
    /// The version that the step leads to.
    package let version: UInt64
    /// The short name of the step.
    package let name: String
    /// The purpose of the step.
    package let description: String
  }

  /// The version of the store before the migration.
  package let fromVersion: UInt64
  /// The version of the store after the migration.
  package let toVersion: UInt64
  /// The steps that the store lacks. Empty if the repository has only a migration block.
  package let steps: [Step]
  /// Whether the repository has a migration block or a plan.
  package let hasBlock: Bool
  /// The differences and their effects.
  package let changes: [SchemaChange]
  /// The size of a backup, in bytes.
  package let backupBytes: Int
  /// An upper estimate of the additional space that the store may take, in bytes. A rehearsal measures it.
  package let growthBytes: Int
  /// The free space on the disk of the store in bytes, or `nil` if it is unknown.
  package let freeBytes: Int?

  /// The number of objects of the types with changes beyond the catalogue.
  package var affectedObjects: Int {
    var types: [String: Int] = [:]
    for change in changes where change.effect != .atOnce { types[change.type] = change.objects }
    return types.values.reduce(0, +)
  }

  /// The differences that lose values unless the migration block keeps them.
  package var losses: [SchemaChange] { changes.filter { $0.effect == .dropsValues } }
}

extension StoreMaintenance {
  /// Returns the effects of a migration on an inspected store.
  ///
  /// - Throws: ``FiefError`` if the repository's configuration is invalid.
  package func forecast(of seen: StoreInspection) throws -> MigrationForecast {
    let configuration = try configuration.get()
    let changes = SchemaChanges(schema: configuration.schema, stored: seen).list()
    let steps = (plan?.steps(after: seen.version) ?? []).map {
      MigrationForecast.Step(version: $0.version, name: $0.name, description: $0.description)
    }
    let hasBlock = configuration.migrationBlock != nil
    return MigrationForecast(
      fromVersion: seen.version,
      toVersion: configuration.schemaVersion,
      steps: steps,
      hasBlock: hasBlock,
      changes: changes,
      backupBytes: seen.usedBytes,
      // Encrypting makes a copy, and encrypted values are longer.
      growthBytes: Self.growth(of: seen, changes, hasBlock: hasBlock)
        + (needsEncrypting(seen) ? seen.usedBytes / 2 * 3 : 0),
      freeBytes: FreeSpace.bytes(at: try directory())
    )
  }

  /// Returns an upper estimate of the additional space. A page is not overwritten before the commit that
  /// frees it, so rewritten records temporarily take twice their space.
  private static func growth(of seen: StoreInspection, _ changes: [SchemaChange], hasBlock: Bool) -> Int {
    let least = 1 << 20
    // A migration block may change everything.
    if hasBlock { return least + seen.usedBytes }
    let rewritten = Set(changes.filter { $0.effect != .atOnce && $0.effect != .checks }.map(\.type))
    return seen.types.reduce(least) { rewritten.contains($1.name) ? $0 + $1.bytes : $0 }
  }
}
