/// The names that a stage of a migration gives to types and properties that stay the same.
///
/// The block says them when the schemas have been compared already. So it runs again, on a catalogue that has
/// the new names from the start: nothing has to be rewritten then, and links, indexes and keys stay.
struct MigrationRenames: Equatable {
  struct Property: Hashable {
    var type: String
    var from: String
    var to: String
  }

  /// The old names of types, by the new ones.
  var formerTypeNames: [String: String] = [:]
  var properties: Set<Property> = []

  /// The catalogue with the new names.
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

  /// A derived property knows the columns of other types by their names.
  private static func follow(_ renames: [Property], of type: String, in entry: inout TypeEntry) {
    for index in entry.derived.indices {
      guard let target = entry.derived[index].target, let source = entry.derived[index].source,
        entry.column(source)?.type.target == type, let rename = renames.first(where: { $0.from == target })
      else { continue }
      entry.derived[index].target = rename.to
    }
  }

  /// Renames all properties of a type at once, so that names can change places.
  private static func apply(_ renames: [Property], to entry: inout TypeEntry) {
    let names = Dictionary(renames.map { ($0.from, $0.to) }) { first, _ in first }
    let taken = Set(names.values)
    for index in entry.columns.indices where !entry.columns[index].isDropped {
      if let name = names[entry.columns[index].name] {
        entry.columns[index].name = name
      } else if taken.contains(entry.columns[index].name) {
        // Another column takes its name, so that its values are gone. It may be part of the primary key, which
        // then is another one as well.
        entry.columns[index].isDropped = true
        entry.columns[index].name += "\u{0}"
      }
    }
    entry.dropIndexesOfDroppedColumns()
    entry.dropRulesOfDroppedColumns()
  }
}

/// The error with which a block ends that has renamed something: it runs again, and the names are known then.
struct MigrationRestart: Error {
  /// The number of the stage.
  var stage: Int
  var renames: MigrationRenames
}
