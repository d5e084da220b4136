import LMDB

/// Collects the derived properties that a class declares in `derivedProperties()`.
struct DeclaredDerivations {
  private(set) var names: [DerivedName] = []
  /// Descriptions of the invalid declarations.
  private(set) var violations: [String] = []

  init(_ type: ObjectBase.Type, name: String, properties: [PropertyDescriptor]) {
    let declared = type.derivedProperties()
    if declared.isEmpty { return }
    if type is EmbeddedObject.Type {
      violations.append("\(name): a property of an embedded object cannot be derived")
      return
    }
    let lookup = DeclaredProperties(type: type, typeName: name, properties: properties)
    for derived in declared { add(derived, lookup) }
    for name in names where names.contains(where: { $0.column == name.source }) {
      violations.append(
        "\(lookup.typeName).\(name.column): it is derived from another derived property"
      )
    }
  }

  private mutating func add(_ declared: DerivedProperty, _ lookup: DeclaredProperties) {
    let function = "derivedProperties()"
    let property = lookup.find(declared.property, in: function, thing: "a derived property", &violations)
    guard let property else { return }
    let place = "\(lookup.typeName).\(property.name)"
    var found: [String] = []
    if names.contains(where: { $0.column == property.column }) {
      found.append("\(place): it is declared as derived more than once")
    }
    if property.isPrimaryKey { found.append("\(place): a primary key cannot be derived") }
    var result = DerivedName(column: property.column, kind: declared.derivation.kind)
    var source: PropertyDescriptor?
    if let named = declared.derivation.source {
      source = lookup.find(named, in: function, thing: "a derivation", &found)
      result.source = source?.column
    }
    if result.kind.isOfRelationship, let source {
      if !source.type.isToMany, !source.type.isToOne {
        found.append("\(place): \(lookup.typeName).\(source.name) is not a relationship")
      } else if result.kind.hasTarget {
        result.target = Self.target(declared.derivation.target, of: source, place, &found)
      }
    }
    found += Self.violations(of: property, result.kind, source, place: place)
    violations += found
    if found.isEmpty { names.append(result) }
  }

  /// Returns the column of the linked objects. Its type is checked when all classes are known.
  private static func target(
    _ target: IndexDefinition.Property?,
    of source: PropertyDescriptor,
    _ place: String,
    _ violations: inout [String]
  ) -> String? {
    let linked =
      (source.field.valueType as? any LinkedElement.Type)?.linkedType
      ?? (source.field.valueType as? any TracedLink.Type)?.tracedType
    guard let target, let type = linked else {
      violations.append("\(place): a property of \(source.type.target ?? "the objects") is missing")
      return nil
    }
    return DeclaredProperties(
      type: type,
      typeName: type.className(),
      properties: ObjectDescriptor.properties(of: type)
    ).find(target, in: "derivedProperties()", thing: "a derivation", &violations)?.column
  }

  private static func violations(
    of property: PropertyDescriptor,
    _ kind: DerivedEntry.Kind,
    _ source: PropertyDescriptor?,
    place: String
  ) -> [String] {
    let type = property.type
    switch kind {
    case .count where !type.isInteger: return ["\(place): \(type) cannot be a count"]
    case .sum where !type.isNumber: return ["\(place): \(type) cannot be a sum"]
    case .minimum, .maximum:
      guard type.isNumber || type.isTextOrDate else {
        return ["\(place): \(type) has no order, so no minimum or maximum"]
      }
      return type.isOptional ? [] : ["\(place): it must be optional because there may be no object"]
    case .lowercased:
      guard let source else { return [] }
      guard type.container == .none, type.kind == .string else {
        return ["\(place): \(type) cannot be a text"]
      }
      guard source.type.container == .none, source.type.kind == .string else {
        return ["\(place): \(source.name) is not text"]
      }
      return type.isOptional || !source.type.isOptional
        ? [] : ["\(place): it must be optional because \(source.name) is"]
    case .lastChange where type.container != .none || type.kind != .date:
      return ["\(place): \(type) cannot be a time"]
    default: return []
    }
  }

  /// Returns the violations in columns of other types from which a class's properties are derived.
  static func targetViolations(of descriptor: ObjectDescriptor, all: SortedTable<String, ObjectDescriptor>)
    -> [String]
  {
    var result: [String] = []
    for derived in descriptor.derived {
      guard let column = derived.target,
        let property = descriptor.properties.first(where: { $0.column == derived.column }),
        let source = descriptor.properties.first(where: { $0.column == derived.source }),
        let other = source.type.target.flatMap({ all[$0] }),
        let target = other.properties.first(where: { $0.column == column })
      else { continue }
      let place = "\(descriptor.name).\(property.name)"
      let name = "\(other.name).\(target.name)"
      if isDerivedOfItself(derived, of: descriptor, all) {
        result.append("\(place): it is derived from itself")
      }
      if derived.kind == .sum {
        if !target.type.isNumber { result.append("\(place): \(name) is not a number") }
        if !property.type.canHoldSum(of: target.type) {
          result.append("\(place): \(property.type) cannot hold a sum of \(target.type)")
        }
      } else if property.type.kind != target.type.kind || target.type.container != .none {
        result.append("\(place): \(property.type) cannot hold a value of \(name), \(target.type)")
      }
    }
    return result
  }

  /// Returns violations for indexed properties that are derived from secret properties, because the indexes
  /// would contain secret values in clear.
  static func secrecyViolations(of descriptor: ObjectDescriptor, all: SortedTable<String, ObjectDescriptor>)
    -> [String]
  {
    descriptor.derived.compactMap { derived -> String? in
      guard let property = descriptor.properties.first(where: { $0.column == derived.column }),
        !property.isSecret, descriptor.indexes.contains(where: { $0.columns.contains(property.column) }),
        let source = descriptor.properties.first(where: { $0.column == derived.source })
      else { return nil }
      let other = source.type.target.flatMap { all[$0] }
      let target = derived.target.flatMap { column in other?.properties.first { $0.column == column } }
      guard derived.kind == .lowercased ? source.isSecret : target?.isSecret == true else { return nil }
      return
        "\(descriptor.name).\(property.name): its index would expose the secret \((target ?? source).name); make it secret too"
    }
  }

  /// Whether a derived property depends on itself, directly or through other derived properties.
  private static func isDerivedOfItself(
    _ derived: DerivedName,
    of descriptor: ObjectDescriptor,
    _ all: SortedTable<String, ObjectDescriptor>
  ) -> Bool {
    var (current, type) = (derived, descriptor)
    var seen: [(String, String)] = []
    // Each property is computed from one column, which may itself be derived.
    while let column = current.target,
      let source = type.properties.first(where: { $0.column == current.source }),
      let other = source.type.target.flatMap({ all[$0] }),
      let next = other.derived.first(where: { $0.column == column })
    {
      if other.name == descriptor.name, next.column == derived.column { return true }
      if seen.contains(where: { $0 == (other.name, column) }) { return false }
      seen.append((other.name, column))
      (current, type) = (next, other)
    }
    return false
  }
}

extension ColumnType {
  fileprivate var isInteger: Bool {
    guard container == .none else { return false }
    switch kind {
    case .int8, .int16, .int32, .int64: return true
    default: return false
    }
  }

  fileprivate var isNumber: Bool {
    guard container == .none else { return false }
    return isInteger || kind == .float || kind == .double || kind == .decimal
  }

  fileprivate var isTextOrDate: Bool { container == .none && (kind == .string || kind == .date) }

  fileprivate func canHoldSum(of other: ColumnType) -> Bool {
    if isInteger { return other.isInteger }
    if kind == .decimal { return other.isInteger || other.kind == .decimal }
    return other.isInteger || other.kind == .float || other.kind == .double
  }
}
