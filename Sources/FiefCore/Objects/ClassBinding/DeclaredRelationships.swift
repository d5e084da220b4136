/// Collects the rules that a class declares in `relationships()`.
struct DeclaredRelationships {
  private(set) var names: [RelationshipName] = []
  /// The relationships with a declared minimum of 1 and without `isRequired`. Stores in formats before 6
  /// treat them as required.
  private(set) var leastOnes: [RelationshipName] = []
  /// Descriptions of the invalid declarations.
  private(set) var violations: [String] = []

  init(_ type: ObjectBase.Type, name: String, properties: [PropertyDescriptor]) {
    let declared = type.relationships()
    if declared.isEmpty { return }
    if type is EmbeddedObject.Type {
      violations.append("\(name): the relationships of an embedded object cannot have rules")
      return
    }
    let lookup = DeclaredProperties(type: type, typeName: name, properties: properties)
    var seen: [String] = []
    for relationship in declared {
      guard
        let property = lookup.find(
          relationship.property,
          in: "relationships()",
          thing: "a relationship",
          &violations
        )
      else { continue }
      let place = "\(name).\(property.name)"
      if seen.contains(property.column) {
        violations.append("\(place): the rules of the relationship are declared more than once")
        continue
      }
      seen.append(property.column)
      let found = Self.violations(of: relationship, property, place: place)
      violations += found
      guard found.isEmpty else { continue }
      let isRequired = relationship.isRequired
      // An optional relationship may be empty, so a minimum of 1 has no effect.
      let minimum =
        isRequired ? max(relationship.minimum, 1) : relationship.minimum > 1 ? relationship.minimum : 0
      let rule = RelationshipName(
        column: property.column,
        deleteRule: relationship.deleteRule,
        minimum: minimum,
        maximum: property.type.isToOne ? nil : relationship.maximum,
        isRequired: isRequired
      )
      if !isRequired, relationship.minimum == 1 {
        var former = rule
        (former.minimum, former.isRequired) = (1, true)
        leastOnes.append(former)
      }
      // A rule that has no effect is left out.
      if rule.deleteRule == .nullify, rule.minimum == 0, rule.maximum == nil { continue }
      names.append(rule)
    }
  }

  private static func violations(
    of relationship: Relationship,
    _ property: PropertyDescriptor,
    place: String
  ) -> [String] {
    guard property.type.isToOne || property.type.isToMany else {
      return ["\(place): \(property.type) is not a relationship"]
    }
    var result: [String] = []
    let (minimum, maximum) = (relationship.minimum, relationship.maximum)
    if minimum < 0 || maximum.map({ $0 < 0 }) ?? false {
      result.append("\(place): the limits of a relationship cannot be negative")
    } else if property.type.isToOne, minimum > 1 || maximum.map({ $0 != 1 }) ?? false {
      result.append("\(place): a single link has at most one object; it supports only isRequired")
    } else if let maximum, maximum < max(minimum, relationship.isRequired ? 1 : 0) {
      result.append("\(place): at least \(max(minimum, 1)) and at most \(maximum) contradict each other")
    }
    if max(minimum, maximum ?? 0) > RelationshipEntry.mostObjects {
      result.append("\(place): the limits of a relationship cannot exceed \(RelationshipEntry.mostObjects)")
    }
    return result
  }
}
