/// The contents of an embedded object: the value of each property.
///
/// An embedded object is a value of its owner, so two embedded objects are equal if their properties are
/// equal.
package struct QueryEmbedded: Hashable, Sendable {
  private indirect enum Member: Hashable, Sendable {
    case value(QueryValue)
    case embedded(QueryEmbedded)
  }

  /// The name of the object's class.
  let type: String
  private let names: [String]
  private let members: [Member]

  /// - Throws: ``FiefError`` of code `invalidQuery` if the object has a collection.
  init(_ object: EmbeddedObject) throws {
    object.willBeRead()
    type = Swift.type(of: object).className()
    var names: [String] = []
    var members: [Member] = []
    for property in object.descriptor.properties where property.access != .none {
      guard property.type.container == .none else {
        throw FiefError(
          .invalidQuery,
          "An embedded object with a collection cannot be compared.",
          property: property.name,
          details: ["the class: \(type)", "compare its properties instead"]
        )
      }
      let value = object.value(of: property)
      names.append(property.name)
      if let embedded = Self.object(in: value) {
        members.append(.embedded(try QueryEmbedded(embedded)))
      } else {
        members.append(.value(try QueryValue(value)))
      }
    }
    self.names = names
    self.members = members
  }

  /// Returns the embedded object if the value is one or is stored as one.
  static func object(in value: Any) -> EmbeddedObject? {
    if let object = ValueConversion.cast(value, to: ObjectBase.self) { return object as? EmbeddedObject }
    if let optional = value as? any TracedOptional { return optional.wrappedValue.flatMap { object(in: $0) } }
    guard let custom = value as? any _CustomPersistable else { return nil }
    return custom.persistableValue as Any as? EmbeddedObject
  }

  /// Whether values of a type are embedded objects, or are stored as embedded objects.
  static func isForm(of type: Any.Type) -> Bool {
    let type = (type as? any TracedOptional.Type)?.wrappedType ?? type
    if type is EmbeddedObject.Type { return true }
    return (type as? any _CustomPersistable.Type).map { persistedType(of: $0) is EmbeddedObject.Type }
      ?? false
  }

  private static func persistedType<Custom: _CustomPersistable>(of type: Custom.Type) -> Any.Type {
    Custom.PersistedType.self
  }

  /// Returns the condition that the embedded object at a path has the same values.
  func condition(at path: QueryPath) -> QueryCondition {
    // If the embedded object is nil, its properties read as nil and would equal values that are nil. So the
    // object itself must not be nil.
    var parts: [QueryCondition] =
      path.steps.isEmpty ? [] : [.comparison(.path(path), .notEqual, .value(.null))]
    for (name, member) in zip(names, members) {
      let place = QueryPath(scope: path.scope, steps: path.steps + [.property(name)])
      switch member {
      case .value(let value): parts.append(.comparison(.path(place), .equal, .value(value)))
      case .embedded(let embedded):
        if case .all(let inner) = embedded.condition(at: place) { parts += inner }
      }
    }
    return .all(parts)
  }
}
