import Fief

/// The effects of a migration on a store, computed without running it.
package struct MigrationForecast: Sendable {
  /// A step of the repository's plan that the store lacks.
  package struct Step: Sendable {
    /// The version that it leads to.
    package let version: UInt64
    /// Its short name.
    package let name: String
    /// The step's purpose.
    package let description: String
  }

  /// The version that the store has.
  package let fromVersion: UInt64
  /// The version that it gets.
  package let toVersion: UInt64
  /// The steps that the store lacks; none where the repository has a block only.
  package let steps: [Step]
  /// Whether the repository has a block or a plan.
  package let hasBlock: Bool
  /// The differences and their effects.
  package let changes: [SchemaChange]
  /// The size of a backup, in bytes.
  package let backupBytes: Int
  /// The additional space that the store may take, in bytes: an estimate, and a high one. A rehearsal measures it.
  package let growthBytes: Int
  /// The free space on the disk of the store, in bytes; nil where that is not known.
  package let freeBytes: Int?

  /// The objects of the types that are not merely changed in the catalogue.
  package var affectedObjects: Int {
    var types: [String: Int] = [:]
    for change in changes where change.effect != .atOnce { types[change.type] = change.objects }
    return types.values.reduce(0, +)
  }

  /// The differences that lose values unless the block takes them over.
  package var losses: [SchemaChange] { changes.filter { $0.effect == .dropsValues } }
}

extension StoreMaintenance {
  /// The effects of a migration on a store that was inspected.
  ///
  /// - Throws: ``FiefError`` where the repository's description has an error.
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
      // Encrypting makes a copy, and sealed values are longer.
      growthBytes: Self.growth(of: seen, changes, hasBlock: hasBlock)
        + (needsEncrypting(seen) ? seen.usedBytes / 2 * 3 : 0),
      freeBytes: FreeSpace.bytes(at: try directory())
    )
  }

  /// Pages are not written over before the commit that frees them, so rewritten records take their space twice.
  private static func growth(of seen: StoreInspection, _ changes: [SchemaChange], hasBlock: Bool) -> Int {
    let least = 1 << 20
    // A block may change anything.
    if hasBlock { return least + seen.usedBytes }
    let rewritten = Set(changes.filter { $0.effect != .atOnce && $0.effect != .checks }.map(\.type))
    return seen.types.reduce(least) { rewritten.contains($1.name) ? $0 + $1.bytes : $0 }
  }
}
