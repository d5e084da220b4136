/// Collects the indexes that a class declares: with its properties, in `indexes()` and in
/// `indexedProperties()`.
///
/// It is a class because the runtime would create types to destroy the arrays of a large structure.
final class DeclaredIndexes {
  private(set) var names: [IndexName] = []
  /// Descriptions of the invalid declarations of indexes.
  private(set) var violations: [String] = []
  private let type: ObjectBase.Type
  private let typeName: String
  private let properties: [PropertyDescriptor]

  init(_ type: ObjectBase.Type, name: String, properties: [PropertyDescriptor]) {
    self.type = type
    self.typeName = name
    self.properties = properties
    for property in properties where !property.index.isEmpty { add(property) }
    for index in type.indexes() { add(index) }
    for name in type.indexedProperties() {
      guard let property = find(name) else { continue }
      let index = IndexName(columns: [property.column])
      if names.contains(index) { continue }
      add(index, of: [property])
    }
  }

  private func add(_ property: PropertyDescriptor) {
    let index = property.index
    if PersistedFlags.isUndeclarable(index) {
      violations.append(
        "\(typeName).\(property.name): indexes() must declare these indexes, not the property"
      )
      return
    }
    for name in index.names(of: property.column) { add(name, of: [property]) }
  }

  private func add(_ index: IndexDefinition) {
    var found: [PropertyDescriptor] = []
    for property in index.properties {
      switch property {
      case .name(let name):
        guard let property = find(name) else { return }
        found.append(property)
      case .keyPath(let keyPath):
        guard let property = self.property(keyPath) else {
          violations.append(
            "\(typeName): indexes() has a key path that is not a persisted property of the class"
          )
          return
        }
        found.append(property)
      }
    }
    var name = IndexName(kind: index.kind, columns: found.map(\.column))
    name.isUnique = index.isUnique
    // Other kinds of indexes do not distinguish case.
    name.isCaseInsensitive = index.isCaseInsensitive && index.kind == .ordered
    add(name, of: found)
  }

  private func find(_ name: String) -> PropertyDescriptor? {
    if let property = properties.first(where: { $0.name == name }) { return property }
    violations.append(
      name.contains(".")
        ? "\(typeName): an index cannot use '\(name)', which leads through another object"
        : "\(typeName): an index is declared for '\(name)', which is not a property"
    )
    return nil
  }

  private func property(_ keyPath: AnyKeyPath) -> PropertyDescriptor? {
    DeclaredProperties(type: type, typeName: typeName, properties: properties).property(keyPath)
  }

  private func add(_ name: IndexName, of properties: [PropertyDescriptor]) {
    let found = violations(of: name, properties)
    violations += found
    if found.isEmpty { names.append(name) }
  }

  private func violations(of name: IndexName, _ properties: [PropertyDescriptor]) -> [String] {
    var result: [String] = []
    let maintainer = name.kind.maintainer
    if type is EmbeddedObject.Type {
      return properties.map {
        "\(typeName).\($0.name): a property of an embedded object cannot be indexed"
      }
    }
    if properties.isEmpty { result.append("\(typeName): an index has no property") }
    if properties.count > IndexEntry.mostColumns {
      result.append("\(typeName): the \(name) has more than \(IndexEntry.mostColumns) properties")
    }
    for (position, property) in properties.enumerated() {
      let place = "\(typeName).\(property.name)"
      if property.type.isToOneLink {
        // Queries use the backlinks of a link for conditions on the link.
        if !name.isUnique {
          result.append(
            "\(place): \(property.type) has backlinks instead of an index; only a unique index can contain it"
          )
        } else if name.isCaseInsensitive, properties.count == 1 {
          result.append("\(place): \(property.type) has no case that an index could ignore")
        }
      } else if !property.type.isIndexable {
        result.append("\(place): \(property.type) cannot be indexed")
      } else if let objection = maintainer?.objection(to: property.type) {
        result.append("\(place): \(objection)")
      } else if name.isCaseInsensitive, properties.count == 1, property.type.kind != .string {
        result.append("\(place): \(property.type) has no case that an index could ignore")
      }
      if property.isSecret, let objection = maintainer?.objectionToSecrets {
        result.append("\(place): \(objection)")
      }
      if properties[..<position].contains(where: { $0 === property }) {
        result.append("\(typeName): the \(name) contains \(property.name) more than once")
      }
    }
    if name.isCaseInsensitive, properties.count > 1, !properties.contains(where: { $0.type.kind == .string })
    {
      result.append("\(typeName): the \(name) contains no text")
    }
    if names.contains(name) { result.append("\(typeName): the \(name) is declared more than once") }
    return result
  }
}
