/// The differences between the classes of a repository and the catalogue of its store.
package enum SchemaComparison {
  /// A difference between the schemas, with a textual description.
  package enum Difference: Equatable, CustomStringConvertible {
    case addedType(String)
    case removedType(String)
    case addedProperty(type: String, property: String, ColumnType)
    case removedProperty(type: String, property: String, ColumnType)
    case changedProperty(type: String, property: String, from: ColumnType, to: ColumnType)
    case addedIndex(type: String, IndexName)
    case removedIndex(type: String, IndexName)
    case addedRule(type: String, RelationshipName)
    case removedRule(type: String, RelationshipName)
    case changedRule(type: String, from: RelationshipName, to: RelationshipName)
    case addedDerivation(type: String, DerivedName)
    case removedDerivation(type: String, DerivedName)
    case changedDerivation(type: String, from: DerivedName, to: DerivedName)
    case changedPrimaryKey(type: String, from: [String], to: [String])
    case changedEmbedding(type: String, isEmbedded: Bool)
    case changedOrigin(type: String, property: String, from: String, to: String)
    case changedSecrecy(type: String, property: String, isSecret: Bool)

    package var description: String {
      switch self {
      case .addedType(let type): "type \(type) was added"
      case .removedType(let type): "type \(type) was removed"
      case .addedProperty(let type, let property, let column): "\(type).\(property): \(column) was added"
      case .removedProperty(let type, let property, let column):
        "\(type).\(property): \(column) was removed"
      case .changedProperty(let type, let property, let from, let to):
        embedding ?? "\(type).\(property) was changed from \(from) to \(to)"
      case .addedIndex(let type, let index):
        index.isPlain ? "\(type).\(index.columns[0]) is now indexed" : "\(type): \(index) was added"
      case .removedIndex(let type, let index):
        index.isPlain ? "\(type).\(index.columns[0]) is no longer indexed" : "\(type): \(index) was removed"
      case .addedRule(let type, let rule): "\(type).\(rule.column) now has a rule: \(rule.rules)"
      case .removedRule(let type, let rule): "\(type).\(rule.column) no longer has a rule: \(rule.rules)"
      case .changedRule(let type, let from, let to):
        "the rule of \(type).\(to.column) was changed from '\(from.rules)' to '\(to.rules)'"
      case .addedDerivation(let type, let derived):
        "\(type).\(derived.column) is now derived: \(derived.derivation)"
      case .removedDerivation(let type, let derived):
        "\(type).\(derived.column) is no longer derived: \(derived.derivation)"
      case .changedDerivation(let type, let from, let to):
        "\(type).\(to.column) is derived differently: \(to.derivation), not \(from.derivation)"
      case .changedPrimaryKey(let type, let from, let to):
        "the primary key of \(type) was changed from \(Self.list(from)) to \(Self.list(to))"
      case .changedEmbedding(let type, let isEmbedded):
        isEmbedded ? "\(type) is now embedded" : "\(type) is no longer embedded"
      case .changedOrigin(let type, let property, let from, let to):
        "\(type).\(property) is now the inverse of '\(to)', not of '\(from)'"
      case .changedSecrecy(let type, let property, let isSecret):
        isSecret ? "\(type).\(property) is now secret" : "\(type).\(property) is no longer secret"
      }
    }

    private static func list(_ names: [String]) -> String {
      names.isEmpty ? "none" : "(" + names.joined(separator: ", ") + ")"
    }
  }

  package static func differences(of schema: DeclaredSchema, from catalogue: Catalogue) -> [Difference] {
    var result: [Difference] = []
    for descriptor in schema.descriptors {
      if let entry = catalogue.type(named: descriptor.name) {
        result += differences(of: descriptor, from: entry)
      } else {
        result.append(.addedType(descriptor.name))
      }
    }
    for entry in catalogue.types where !schema.descriptors.contains(where: { $0.name == entry.name }) {
      result.append(.removedType(entry.name))
    }
    return result
  }

  /// Returns the differences that keep a repository from opening a store of its schema version.
  ///
  /// A repository may omit types that a product manages: a program without the product opens its own types,
  /// and cannot change the others. A migration to a higher version removes such types like any others. Types
  /// that the product has gained later are no conflict either.
  package static func conflicts(of schema: DeclaredSchema, from catalogue: Catalogue) -> [Difference] {
    let later = laterManagedTypes(of: schema, from: catalogue).map(\.name)
    return differences(of: schema, from: catalogue).filter { difference in
      switch difference {
      case .removedType(let type): catalogue.type(named: type)?.isManaged != true
      case .addedType(let type): !later.contains(type)
      default: true
      }
    }
  }

  /// Returns the managed types that a product has gained since the store was created with other types of it.
  ///
  /// They begin without objects, so an application need not raise its version for a new release of the
  /// product.
  static func laterManagedTypes(of schema: DeclaredSchema, from catalogue: Catalogue) -> [ObjectDescriptor] {
    guard catalogue.types.contains(where: \.isManaged) else { return [] }
    return schema.descriptors.filter { descriptor in
      catalogue.type(named: descriptor.name) == nil && !descriptor.isEmbedded
        && TypeEntry.isManaged(descriptor.name) {
          descriptor.primaryKey.map { descriptor.properties[$0].column } == $0
        }
    }
  }

  package static func differences(of descriptor: ObjectDescriptor, from entry: TypeEntry) -> [Difference] {
    var result: [Difference] = []
    let type = entry.name
    if descriptor.isEmbedded != entry.isEmbedded {
      result.append(.changedEmbedding(type: type, isEmbedded: descriptor.isEmbedded))
    }
    for property in descriptor.properties {
      guard let column = entry.column(named: property.column) else {
        result.append(.addedProperty(type: type, property: property.column, property.type))
        continue
      }
      if column.isSecret != property.isSecret {
        result.append(
          .changedSecrecy(type: type, property: property.column, isSecret: property.isSecret)
        )
      }
      if column.type != property.type {
        result.append(
          .changedProperty(type: type, property: property.column, from: column.type, to: property.type)
        )
      } else if column.originProperty != property.originProperty {
        result.append(
          .changedOrigin(
            type: type,
            property: property.column,
            from: column.originProperty ?? "",
            to: property.originProperty ?? ""
          )
        )
      }
    }
    for column in entry.columns
    where !column.isDropped && !descriptor.properties.contains(where: { $0.column == column.name }) {
      result.append(.removedProperty(type: type, property: column.name, column.type))
    }
    result += indexDifferences(of: descriptor, from: entry)
    if !hasSameRules(descriptor, entry) { result += ruleDifferences(of: descriptor, from: entry) }
    let oldKey = entry.primaryKey.compactMap { entry.column($0)?.name }
    let newKey = descriptor.primaryKey.map { descriptor.properties[$0].column }
    if oldKey != newKey { result.append(.changedPrimaryKey(type: type, from: oldKey, to: newKey)) }
    return result
  }

  /// Whether the indexes are the same in the same order, as usual when a store is reopened. Names are created
  /// only if this check fails.
  private static func hasSameIndexes(_ descriptor: ObjectDescriptor, _ entry: TypeEntry) -> Bool {
    guard descriptor.indexes.count == entry.indexes.count else { return false }
    for position in entry.indexes.indices
    where !entry.indexes[position].isNamed(descriptor.indexes[position], in: entry) {
      return false
    }
    return true
  }

  /// Returns the differences in indexes. If a property itself was added or removed, its index is not a
  /// separate difference.
  private static func indexDifferences(of descriptor: ObjectDescriptor, from entry: TypeEntry) -> [Difference]
  {
    if hasSameIndexes(descriptor, entry) { return [] }
    let old = entry.indexes.map { $0.name(in: entry) }
    var result: [Difference] = []
    for index in descriptor.indexes where !old.contains(index) {
      if index.columns.count == 1, entry.id(ofColumnNamed: index.columns[0]) == nil { continue }
      result.append(.addedIndex(type: entry.name, index))
    }
    for index in old where !descriptor.indexes.contains(index) {
      if index.columns.count == 1, !descriptor.properties.contains(where: { $0.column == index.columns[0] }) {
        continue
      }
      result.append(.removedIndex(type: entry.name, index))
    }
    return result
  }
}

extension SchemaComparison.Difference {
  /// The description of a property that changed from links to embedded objects or back, while the name of its
  /// target type stayed the same; `nil` for other changes.
  package var embedding: String? {
    guard case .changedProperty(let type, let property, let from, let to) = self,
      from.target == to.target, from.container == to.container
    else { return nil }
    switch (from.kind, to.kind) {
    case (.link, .embedded): return "\(type).\(property): \(to) was linked and is now embedded"
    case (.embedded, .link): return "\(type).\(property): \(to) was embedded and is now linked"
    default: return nil
    }
  }
}
