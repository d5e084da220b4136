/// The names that a stage of a migration gives to renamed types and properties.
///
/// The block renames when the schemas have already been compared. It therefore runs again with a catalogue
/// that contains the new names from the start. As a result, records are not rewritten, and links, indexes and
/// keys are kept.
struct MigrationRenames: Equatable {
  struct Property: Hashable {
    var type: String
    var from: String
    var to: String
  }

  /// The old names of types, by their new names.
  var formerTypeNames: [String: String] = [:]
  var properties: Set<Property> = []

  /// Returns the catalogue with the new names.
  func applied(to catalogue: Catalogue) throws -> Catalogue {
    var result = catalogue
    for (new, former) in formerTypeNames {
      for index in result.types.indices {
        if result.types[index].name == former { result.types[index].name = new }
        for column in result.types[index].columns.indices
        where result.types[index].columns[column].type.target == former {
          result.types[index].columns[column].type.target = new
        }
      }
    }
    for (type, renames) in Dictionary(grouping: properties, by: \.type) {
      guard let index = result.types.firstIndex(where: { $0.name == type }) else { continue }
      Self.apply(renames, to: &result.types[index])
      for index in result.types.indices { Self.follow(renames, of: type, in: &result.types[index]) }
    }
    return result
  }

  /// Updates derived properties, which refer to columns of other types by name.
  private static func follow(_ renames: [Property], of type: String, in entry: inout TypeEntry) {
    for index in entry.derived.indices {
      guard let target = entry.derived[index].target, let source = entry.derived[index].source,
        entry.column(source)?.type.target == type, let rename = renames.first(where: { $0.from == target })
      else { continue }
      entry.derived[index].target = rename.to
    }
  }

  /// Renames all properties of a type at once, so that two properties can exchange their names.
  private static func apply(_ renames: [Property], to entry: inout TypeEntry) {
    let names = Dictionary(renames.map { ($0.from, $0.to) }) { first, _ in first }
    let taken = Set(names.values)
    for index in entry.columns.indices where !entry.columns[index].isDropped {
      if let name = names[entry.columns[index].name] {
        entry.columns[index].name = name
      } else if taken.contains(entry.columns[index].name) {
        // Another column takes the name, so this column is dropped with its values. If the column is part of
        // the primary key, the key changes too.
        entry.columns[index].isDropped = true
        entry.columns[index].name += "\u{0}"
      }
    }
    entry.dropIndexesOfDroppedColumns()
    entry.dropRulesOfDroppedColumns()
  }
}

/// The error that ends a run of the block after a rename. The block then runs again with the new names.
struct MigrationRestart: Error {
  /// The number of the stage.
  var stage: Int
  var renames: MigrationRenames
}
