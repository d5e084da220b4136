import LMDB

/// The classes of a repository after all checks. All of them can be stored.
package struct DeclaredSchema: Sendable {
  package let descriptors: [ObjectDescriptor]

  /// Checks the classes of a repository.
  ///
  /// - Throws: ``FiefError`` of code `invalidSchema` that lists all violations.
  init(objects: [Object.Type], embedded: [EmbeddedObject.Type], store: String) throws(FiefError) {
    var violations: [String] = []
    var descriptors: [ObjectDescriptor] = []
    var seen = SortedTable<String, ObjectDescriptor>()
    func add(_ type: ObjectBase.Type) {
      let descriptor = ObjectDescriptor.of(type)
      if let other = seen[descriptor.name] {
        if other.type != type {
          violations.append("two classes are named \(descriptor.name)")
        }
        return
      }
      seen[descriptor.name] = descriptor
      descriptors.append(descriptor)
    }
    for type in objects { add(type) }
    for type in embedded { add(type) }
    // Other classes may refer to a stand-in, and may then appear to violate rules although they do not.
    let standIns = descriptors.filter(\.isProvisional)
    for descriptor in standIns.isEmpty ? descriptors : standIns {
      violations += Self.violations(in: descriptor, all: seen)
    }
    guard violations.isEmpty else {
      throw FiefError(
        .invalidSchema,
        "The classes of the repository cannot be stored as declared.",
        store: store,
        details: violations
      )
    }
    self.descriptors = seen.all
  }

  /// Returns a violation if the class has stored properties but no `@Persisted` property, as in older Realm
  /// code (`@objc dynamic var`). Fief would not store its values.
  private static func unstoredViolation(of descriptor: ObjectDescriptor) -> String? {
    guard descriptor.properties.isEmpty, descriptor.type != Object.self,
      descriptor.type != EmbeddedObject.self,
      let property = Mirror(reflecting: descriptor.type.init()).children.first?.label
    else { return nil }
    return "\(descriptor.name) has no @Persisted property, and '\(property)' is not stored: "
      + "write @Persisted var instead of @objc dynamic var or let"
  }

  private static func violations(
    in descriptor: ObjectDescriptor,
    all: SortedTable<String, ObjectDescriptor>
  ) -> [String] {
    var result: [String] = []
    let name = descriptor.name
    if descriptor.isProvisional {
      return [
        "the init() of \(name) opens a store of \(name) while Fief reads the class for the first time: "
          + "open the store earlier, or outside init()"
      ]
    }
    if let hidden = PersistedFields.violation(of: descriptor) { return [hidden] }
    if name.isEmpty || name.utf8.count > 200 { result.append("the name '\(name)' is empty or too long") }
    if descriptor.type == Object.self || descriptor.type == EmbeddedObject.self {
      result.append("\(name) is the base class; declare classes that inherit from it")
    }
    if descriptor.isEmbedded, !descriptor.primaryKey.isEmpty {
      result.append("\(name) is embedded and cannot have a primary key")
    }
    if let unstored = unstoredViolation(of: descriptor) { result.append(unstored) }
    for (index, property) in descriptor.properties.enumerated() {
      let place = "\(name).\(property.name)"
      if descriptor.properties[..<index].contains(where: { $0.column == property.column }) {
        result.append("\(place): another property has the column '\(property.column)'")
      }
      if property.column.isEmpty { result.append("\(place): the column name is empty") }
      if property.column.utf8.contains(0) { result.append("\(place): the column name has a zero byte") }
      if property.isPrimaryKey, !property.type.canBePrimaryKey {
        result.append(
          "\(place): \(property.type) cannot be a primary key; Int, String, UUID and ObjectId can"
        )
      }
      result += elementViolations(of: property, place: place)
      result += targetViolations(of: property, in: descriptor, place: place, all: all)
    }
    result += descriptor.indexViolations
    result += descriptor.ruleViolations
    result += originViolations(of: descriptor, all: all)
    result += DeclaredDerivations.targetViolations(of: descriptor, all: all)
    result += DeclaredDerivations.secrecyViolations(of: descriptor, all: all)
    for column in descriptor.type.propertiesMapping().keys
    where descriptor.property(named: column) == nil {
      result.append("\(name): propertiesMapping() names '\(column)', which is not a property")
    }
    return result
  }

  /// Checks that inverses with rules can be found by column name, because the catalogue contains only the
  /// names of columns.
  private static func originViolations(
    of descriptor: ObjectDescriptor,
    all: SortedTable<String, ObjectDescriptor>
  ) -> [String] {
    var result: [String] = []
    for property in descriptor.properties where property.type.kind == .linkingObjects {
      let isUsed =
        descriptor.relationships.contains { $0.column == property.column }
        || descriptor.derived.contains { $0.source == property.column }
      guard isUsed, let other = property.type.target.flatMap({ all[$0] }),
        let origin = other.property(named: property.originProperty ?? ""), origin.column != origin.name
      else { continue }
      let links = other.properties.filter { $0.type.kind == .link && $0.type.target == descriptor.name }
      if links.count > 1 {
        result.append(
          "\(descriptor.name).\(property.name): the column of \(other.name).\(origin.name) must have the "
            + "property's name, because several properties link here"
        )
      }
    }
    return result
  }

  /// Checks the elements of arrays, sets and dictionaries. These collections are written as a whole, so their
  /// elements must not be links, which may disappear or change independently.
  private static func elementViolations(of property: PropertyDescriptor, place: String) -> [String] {
    guard property.type.container != .none,
      let collection = property.field.valueType as? any CollectionValue.Type
    else { return [] }
    let element = collection.elementOfCollection
    let isFailable = element._mayBeUnknownElement
    guard property.type.kind == .link || property.type.kind == .embedded || isFailable else { return [] }
    let isMap = property.type.container == .map
    let name =
      "\(collection.collectionInPlace)<\(isMap ? "String, " : "")\(property.type.target ?? "\(element)")>"
    return ["\(place): a Swift collection cannot hold these elements; use \(name)"]
  }

  private static func targetViolations(
    of property: PropertyDescriptor,
    in descriptor: ObjectDescriptor,
    place: String,
    all: SortedTable<String, ObjectDescriptor>
  ) -> [String] {
    guard let target = property.type.target else { return [] }
    guard let isEmbedded = all[target]?.isEmbedded else {
      return ["\(place): \(target) is not among the types of the repository"]
    }
    switch property.type.kind {
    case .link where isEmbedded: return ["\(place): \(target) is embedded and cannot be linked"]
    case .embedded where !isEmbedded: return ["\(place): \(target) is not embedded"]
    case .embedded where property.type.container == .set:
      return ["\(place): a set cannot hold embedded objects"]
    case .linkingObjects:
      let origin = all[target]?.property(named: property.originProperty ?? "")
      guard let origin else {
        return ["\(place): \(target) has no property '\(property.originProperty ?? "")'"]
      }
      if descriptor.isEmbedded {
        if origin.type.kind == .embedded, origin.type.target == descriptor.name, !isEmbedded { return [] }
        return ["\(place): \(target).\(origin.name) does not contain embedded \(descriptor.name) objects"]
      }
      guard origin.type.kind == .link, !isEmbedded else {
        return ["\(place): \(target).\(origin.name) is not a link to an object"]
      }
      return []
    default: return []
    }
  }
}
