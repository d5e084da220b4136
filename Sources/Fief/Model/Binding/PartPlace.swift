import Synchronization

/// The object of a store that an embedded object is in, and the property of it. An embedded object refers to its owner
/// weakly, so that its inverses look that up by the key where nothing else holds it.
final class PartPlace {
  let type: ObjectBase.Type
  let key: ObjectKey
  let property: String

  init(type: ObjectBase.Type, key: ObjectKey, property: String) {
    self.type = type
    self.key = key
    self.property = property
  }

  /// Whether any class of embedded objects has inverses; without one the places are of no use.
  static let areUsed = Atomic<Bool>(false)

  /// Lets an element of a property remember where it is, if it is an embedded object.
  @inline(__always)
  static func note(_ element: some Any, in owner: ObjectBase, at offset: Int) {
    if areUsed.load(ordering: .relaxed) {
      (element as? EmbeddedObject)?.notePlaceWithInverses(in: owner, at: offset)
    }
  }
}

extension EmbeddedObject {
  /// Remembers the object that it is in, after a save of that.
  @inline(__always)
  func noteOwnPlace() {
    guard PartPlace.areUsed.load(ordering: .relaxed), let owner = _owner else { return }
    notePlaceWithInverses(in: owner, at: nil)
  }

  @inline(never)
  fileprivate func notePlaceWithInverses(in owner: ObjectBase, at offset: Int?) {
    guard owner is Object, descriptor.hasInverses, let store = owner._context?.store,
      let binding = try? store.binding(of: Swift.type(of: owner)), let key = try? binding.key(of: owner),
      let property = offset.map({ binding.descriptor.property(at: $0) }) ?? owner.property(holding: self)
    else { return }
    _place = PartPlace(type: binding.descriptor.type, key: ObjectKey(bytes: key), property: property.name)
  }
}

extension ObjectBase {
  fileprivate func property(holding part: EmbeddedObject) -> PropertyDescriptor? {
    descriptor.properties.first { $0.type.kind == .embedded && holds(part, in: $0) }
  }

  fileprivate func holds(_ part: EmbeddedObject, in property: PropertyDescriptor) -> Bool {
    guard !isDeferred(property) else { return false }
    return (valueInMemory(of: property) as? any EmbeddedObjectHolder)?.holds(part) ?? false
  }
}

extension LinkingObjects {
  /// The object that an embedded one is in, if it is there through the inverse's property.
  func owner(of part: EmbeddedObject) -> Results<Element> {
    guard let context = part._context ?? part._owner?._context, let store = context.store else {
      return Results(
        failure: FiefError(
          .objectNotFound,
          "The embedded object is in no store, so that nothing there has it.",
          type: Swift.type(of: part).className(),
          property: originPropertyName
        )
      )
    }
    let all = Results<Element>(context: store.inverseContext(of: context))
    do {
      guard let key = try key(ofOwnerOf: part, in: store) else { return all.filtered(by: .constant(false)) }
      return all.filtered(by: .isKey(key, of: Element.className()))
    } catch {
      return all.failing(FiefError.ofQuery(error))
    }
  }

  private func key(ofOwnerOf part: EmbeddedObject, in store: StoreCore) throws -> ObjectKey? {
    let binding = try store.binding(of: Element.self)
    guard let origin = binding.descriptor.property(named: originPropertyName), origin.type.kind == .embedded,
      origin.type.target == Swift.type(of: part).className()
    else {
      throw FiefError(
        .unknownProperty,
        "The type has no embedded object of that name and type.",
        store: store.name,
        type: Element.className(),
        property: originPropertyName
      )
    }
    if let owner = part._owner {
      guard Swift.type(of: owner) == Element.self, owner._context?.store != nil, owner.holds(part, in: origin)
      else { return nil }
      return ObjectKey(bytes: try binding.key(of: owner))
    }
    guard let place = part._place, place.type == Element.self, place.property == origin.name else {
      return nil
    }
    return place.key
  }
}
