/// The location of an object, an embedded object or a collection in a store. References contain a location.
package struct PartPath: Sendable {
  /// One step from the object with its own key toward the part.
  enum Step: Sendable {
    case property(String)
    case element(Int)
    case entry(String)
  }

  /// The class of the object with its own key.
  package let type: Object.Type
  let key: [UInt8]
  private let store: String
  private let steps: [Step]

  /// - Parameter part: an object, an embedded object or a collection.
  /// - Throws: ``FiefError`` of code `foreignObject` if the part is not in a store; `objectNotFound` if its
  ///   object was deleted, or if it is in an embedded object whose owner was released.
  package init(to part: AnyObject) throws {
    var steps: [Step] = []
    var current: AnyObject = part
    var place: CollectionPlace?
    while !(current is Object), place == nil {
      if let collection = current as? OwnedCollection {
        if let owner = collection.owner, let property = owner.descriptor.property(at: collection.offset) {
          steps.insert(.property(property.name), at: 0)
          current = owner
        } else {
          place = collection.place
          if place == nil { throw Self.foreign(Swift.type(of: part)) }
        }
      } else if let embedded = current as? EmbeddedObject, let owner = embedded._owner {
        steps = try owner.steps(to: embedded) + steps
        current = owner
      } else {
        throw Self.foreign(Swift.type(of: part))
      }
    }
    if let place {
      // The object of the collection was released.
      let (context, members) = try place.found()
      guard let core = context.store, let type = core.descriptor(named: members.type)?.type as? Object.Type
      else { throw Self.foreign(Swift.type(of: part)) }
      self.type = type
      key = members.key.bytes
      store = core.identity
      self.steps = members.path.map { Step.property($0) } + steps
      return
    }
    guard let object = current as? Object, let store = object.originStore, let key = try object.originKey()
    else { throw Self.foreign(Swift.type(of: part)) }
    if try object.isGone() {
      throw FiefError(
        .objectNotFound,
        "The referenced object was deleted.",
        type: Swift.type(of: object).className()
      )
    }
    type = Swift.type(of: object)
    self.key = key
    self.store = try store.identity()
    self.steps = steps
  }

  private static func foreign(_ type: Any.Type) -> FiefError {
    FiefError(.foreignObject, "The referenced object is not in a store.", type: "\(type)")
  }

  /// Returns the object or collection that is currently at the location, or nil if the object was deleted or
  /// no longer has the part.
  ///
  /// - Throws: ``FiefError`` of code `foreignObject` if `store` is another store; other errors if the part
  ///   cannot be read.
  package func find(in store: Store) throws -> AnyObject? {
    guard try self.store == store.identity() else {
      throw FiefError(
        .foreignObject,
        "The referenced object belongs to another store.",
        type: type.className()
      )
    }
    return try part(of: try store.object(ofType: type, key: key))
  }

  /// Returns the object that contains the part, in the newest state, or nil if it was deleted.
  func findObject(in store: Store) throws -> ObjectBase? { try store.object(ofType: type, key: key) }

  /// Returns the part of an instance of the object, or nil if the object no longer has it.
  func part(of object: ObjectBase?) throws -> AnyObject? {
    var current: AnyObject? = object
    for step in steps {
      guard let place = current else { return nil }
      switch step {
      case .property(let name):
        current = try (place as? ObjectBase)?.value(ofProperty: name).map { $0 as AnyObject }
      case .element, .entry: current = (place as? any PartHolder)?.part(at: step)
      }
    }
    return current
  }
}

/// A collection that may contain embedded objects.
protocol PartHolder {
  func step(to part: EmbeddedObject) -> PartPath.Step?
  func part(at step: PartPath.Step) -> EmbeddedObject?
}

extension ObjectBase {
  fileprivate func steps(to part: EmbeddedObject) throws -> [PartPath.Step] {
    for property in descriptor.properties where property.type.kind == .embedded {
      let held = value(of: property) as Any
      if held as? EmbeddedObject === part { return [.property(property.name)] }
      if let step = (held as? any PartHolder)?.step(to: part) { return [.property(property.name), step] }
    }
    throw FiefError(
      .objectNotFound,
      "The referenced embedded object no longer belongs to its owner.",
      type: Swift.type(of: part).className()
    )
  }
}
