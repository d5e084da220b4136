import Fief

/// A difference between a store and the declared classes, and its effect on the objects.
package struct SchemaChange: Sendable {
  /// The effect of a difference on a migration.
  package enum Effect: String, Sendable {
    /// Only the catalogue changes, which takes constant time.
    case atOnce
    /// An index is built from all objects.
    case buildsIndex
    /// Every object is checked against the rules.
    case checks
    /// Every object is rewritten.
    case rewrites
    /// Values would be lost unless the migration block keeps them. If the type of a property has changed, the
    /// migration then fails, unless the block states that the values are not needed.
    case dropsValues
  }

  /// The affected type.
  package let type: String
  /// A description of the difference.
  package let difference: String
  /// The effect of the difference.
  package let effect: Effect
  /// The number of affected objects, or 0 if only the catalogue changes.
  package let objects: Int
  /// A description of the effect.
  package let consequence: String
}

/// Determines the effects of a migration from the differences of a schema.
struct SchemaChanges {
  let schema: DeclaredSchema
  let stored: StoreInspection

  func list() -> [SchemaChange] {
    SchemaComparison.differences(of: schema, from: stored.catalogue).map(change)
      + schema.descriptors.flatMap(indexesOfNewColumns)
  }

  private static func all(_ objects: Int) -> String {
    objects == 1 ? "the 1 object" : "all \(objects) objects"
  }

  private func count(_ type: String) -> Int { stored.type(type)?.count ?? 0 }

  private func change(_ difference: SchemaComparison.Difference) -> SchemaChange {
    let objects = count(difference.typeName)
    func make(_ effect: SchemaChange.Effect, _ consequence: String) -> SchemaChange {
      SchemaChange(
        type: difference.typeName,
        difference: difference.description,
        effect: effect,
        objects: effect == .atOnce ? 0 : objects,
        consequence: consequence
      )
    }
    let all = Self.all(objects)
    switch difference {
    case .addedType, .removedIndex, .changedOrigin, .removedRule, .removedDerivation:
      return make(.atOnce, "done at once")
    case .addedProperty(_, _, let column):
      return make(
        .atOnce,
        column.isStored ? "done at once; older objects read the class's default" : "done at once"
      )
    case .addedIndex:
      return objects == 0
        ? make(.atOnce, "done at once") : make(.buildsIndex, "the index is built from \(all)")
    case .addedRule(_, let rule):
      return objects == 0 || rule.minimum == 0 && rule.maximum == nil
        ? make(.atOnce, "done at once") : make(.checks, "\(all) are checked")
    case .changedRule(_, let from, let to):
      return objects == 0 || !to.isStricter(than: from)
        ? make(.atOnce, "done at once") : make(.checks, "\(all) are checked")
    case .addedDerivation, .changedDerivation:
      return objects == 0
        ? make(.atOnce, "done at once") : make(.rewrites, "the values of \(all) are computed")
    case .removedType(let type):
      if objects == 0 { return make(.atOnce, "done at once") }
      return make(
        .dropsValues,
        "\(all) of \(type) are deleted, unless the block moves them" + renames(type, nil)
      )
    case .removedProperty(let type, let property, let column):
      // Embedded objects are not counted.
      if objects == 0 && stored.type(type) != nil || !column.isStored { return make(.atOnce, "done at once") }
      return make(
        .dropsValues,
        "the values of \(type).\(property) are dropped, unless the block moves them"
          + renames(type, property)
      )
    case .changedProperty(let type, let property, let from, let to):
      if objects == 0 && stored.type(type) != nil { return make(.atOnce, "done at once") }
      if difference.embedding != nil { return make(.rewrites, "\(all) are rewritten") }
      if from.isReadable(as: to) {
        return make(.atOnce, "done at once; older objects are converted when read")
      }
      if MigrationConversion.isConvertible(from: from, to: to) {
        let rewritten = stored.type(type) == nil ? "the owners" : all
        return make(.rewrites, "\(rewritten) are rewritten if the new type can hold the value")
      }
      if !from.isStored { return make(.atOnce, "done at once") }
      return make(
        .dropsValues,
        "the values of \(type).\(property) cannot be converted: the migration fails, unless the block assigns "
          + "the property or calls migration.discard(\"\(type).\(property)\")"
      )
    case .changedSecrecy(let type, let property, _):
      if objects == 0 { return make(.atOnce, "done at once") }
      return change(ofSecrecy: property, of: type).map { make($0, $1) } ?? make(.atOnce, "done at once")
    case .changedPrimaryKey:
      if objects == 0 { return make(.atOnce, "done at once") }
      return make(.rewrites, "\(all) get new keys, and links to them are updated")
    case .changedEmbedding:
      return make(.rewrites, "the objects and their owners are rewritten")
    }
  }

  /// Returns a hint with the calls by which the migration block keeps values that were possibly renamed.
  private func renames(_ type: String, _ property: String?) -> String {
    let values = SchemaComparison.removals(of: schema, from: stored.catalogue).map(\.values)
      .first { $0.type == type && $0.property == property }
    guard let values, !values.likelyNames.isEmpty else { return "" }
    return "; if it was renamed, \(values.rename)"
  }

  /// Returns the effect on keys that contain a property, if the property becomes secret or stops being
  /// secret. Returns `nil` if no key contains it.
  private func change(ofSecrecy property: String, of type: String) -> (SchemaChange.Effect, String)? {
    let all = Self.all(count(type))
    guard let entry = stored.catalogue.type(named: type), let id = entry.column(named: property)?.id else {
      return nil
    }
    if entry.properties.contains(where: { $0.name == property && $0.isPrimaryKey }) {
      return (.rewrites, "\(all) get new keys, and links to them are updated")
    }
    return entry.hasIndex(of: id) ? (.buildsIndex, "its indexes are built from \(all)") : nil
  }

  /// Returns the indexes of new properties. The comparison reports a new property and its index as one
  /// difference.
  private func indexesOfNewColumns(_ descriptor: ObjectDescriptor) -> [SchemaChange] {
    guard let entry = stored.catalogue.type(named: descriptor.name), count(descriptor.name) > 0 else {
      return []
    }
    return descriptor.indexes.filter {
      $0.columns.count == 1 && entry.id(ofColumnNamed: $0.columns[0]) == nil
    }.map {
      SchemaChange(
        type: descriptor.name,
        difference: $0.isPlain
          ? "\(descriptor.name).\($0.columns[0]) is now indexed" : "\(descriptor.name): \($0) was added",
        effect: .buildsIndex,
        objects: count(descriptor.name),
        consequence: "the index is built from \(Self.all(count(descriptor.name)))"
      )
    }
  }
}

extension SchemaComparison.Difference {
  /// The name of the type that differs.
  var typeName: String {
    switch self {
    case .addedType(let type), .removedType(let type), .addedProperty(let type, _, _),
      .removedProperty(let type, _, _), .changedProperty(let type, _, _, _), .addedIndex(let type, _),
      .removedIndex(let type, _), .changedPrimaryKey(let type, _, _), .changedEmbedding(let type, _),
      .changedOrigin(let type, _, _, _), .changedSecrecy(let type, _, _), .addedRule(let type, _),
      .removedRule(let type, _),
      .changedRule(let type, _, _), .addedDerivation(let type, _), .removedDerivation(let type, _),
      .changedDerivation(let type, _, _):
      type
    }
  }
}
