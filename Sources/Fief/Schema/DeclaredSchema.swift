/// The classes that a repository declares, checked: what can be stored, and nothing else.
struct DeclaredSchema: Sendable {
  let descriptors: [ObjectDescriptor]

  /// Checks the classes of a repository.
  ///
  /// - Throws: ``FiefError`` of code `invalidSchema` that lists every violation.
  init(objects: [Object.Type], embedded: [EmbeddedObject.Type], store: String) throws(FiefError) {
    var violations: [String] = []
    var descriptors: [ObjectDescriptor] = []
    var seen: [String: ObjectIdentifier] = [:]
    for type in objects as [ObjectBase.Type] + embedded as [ObjectBase.Type] {
      let descriptor = ObjectDescriptor.of(type)
      if let other = seen[descriptor.name] {
        if other != ObjectIdentifier(type) {
          violations.append("two classes are called \(descriptor.name)")
        }
        continue
      }
      seen[descriptor.name] = ObjectIdentifier(type)
      descriptors.append(descriptor)
    }
    let kinds = Dictionary(
      descriptors.map { ($0.name, $0.isEmbedded) },
      uniquingKeysWith: { first, _ in first }
    )
    for descriptor in descriptors {
      violations += Self.violations(in: descriptor, kinds: kinds, all: descriptors)
    }
    guard violations.isEmpty else {
      throw FiefError(
        .invalidSchema,
        "The classes of the repository cannot be stored as they are declared.",
        store: store,
        details: violations
      )
    }
    self.descriptors = descriptors.sorted { $0.name < $1.name }
  }

  private static func violations(
    in descriptor: ObjectDescriptor,
    kinds: [String: Bool],
    all: [ObjectDescriptor]
  ) -> [String] {
    var result: [String] = []
    let name = descriptor.name
    if name.isEmpty || name.utf8.count > 200 { result.append("the name '\(name)' is empty or too long") }
    if descriptor.type == Object.self || descriptor.type == EmbeddedObject.self {
      result.append("\(name) is the base class; declare classes that inherit from it")
    }
    if descriptor.isEmbedded, !descriptor.primaryKey.isEmpty {
      result.append("\(name) is embedded and cannot have a primary key")
    }
    var columns: Set<String> = []
    for property in descriptor.properties {
      let place = "\(name).\(property.name)"
      if !columns.insert(property.column).inserted {
        result.append("\(place): another property has the column '\(property.column)'")
      }
      if property.column.isEmpty { result.append("\(place): the column name is empty") }
      if property.isPrimaryKey, !property.type.canBePrimaryKey {
        result.append("\(place): \(property.type) cannot be a primary key")
      }
      if property.isIndexed, !property.type.isIndexable {
        result.append("\(place): \(property.type) cannot be indexed")
      }
      if property.isIndexed, descriptor.isEmbedded {
        result.append("\(place): a property of an embedded object cannot be indexed")
      }
      result += targetViolations(of: property, place: place, kinds: kinds, all: all)
    }
    for column in descriptor.type.propertiesMapping().keys
    where descriptor.property(named: column) == nil {
      result.append("\(name): propertiesMapping() names '\(column)', which is no property")
    }
    return result
  }

  private static func targetViolations(
    of property: PropertyDescriptor,
    place: String,
    kinds: [String: Bool],
    all: [ObjectDescriptor]
  ) -> [String] {
    guard let target = property.type.target else { return [] }
    guard let isEmbedded = kinds[target] else {
      return ["\(place): \(target) is not among the types of the repository"]
    }
    switch property.type.kind {
    case .link where isEmbedded: return ["\(place): \(target) is embedded and cannot be linked"]
    case .embedded where !isEmbedded: return ["\(place): \(target) is not embedded"]
    case .embedded where property.type.container == .set:
      return ["\(place): a set cannot hold embedded objects"]
    case .linkingObjects:
      let origin = all.first { $0.name == target }?.property(named: property.originProperty ?? "")
      guard let origin else {
        return ["\(place): \(target) has no property '\(property.originProperty ?? "")'"]
      }
      guard origin.type.kind == .link, !isEmbedded else {
        return ["\(place): \(target).\(origin.name) is no link of an object"]
      }
      return []
    default: return []
    }
  }
}
