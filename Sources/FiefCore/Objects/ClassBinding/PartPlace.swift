import Synchronization

/// The owner of an embedded object in a store, and the property that contains it. An embedded object refers
/// to its owner weakly. If the owner was released, inverses look it up by its key.
final class PartPlace {
  let type: ObjectBase.Type
  let key: ObjectKey
  let property: String

  init(type: ObjectBase.Type, key: ObjectKey, property: String) {
    self.type = type
    self.key = key
    self.property = property
  }

  /// Whether any embedded class has inverses. If not, locations are not recorded.
  static let areUsed = Atomic<Bool>(false)

  /// Records the location of an element of a property if it is an embedded object.
  @inline(__always)
  static func note(_ element: some Any, in owner: ObjectBase, at offset: Int) {
    if areUsed.load(ordering: .relaxed) {
      (element as? EmbeddedObject)?.notePlaceWithInverses(in: owner, at: offset)
    }
  }
}

extension EmbeddedObject {
  /// Records the object's location after its owner was saved.
  @inline(__always)
  func noteOwnPlace() {
    guard PartPlace.areUsed.load(ordering: .relaxed), let owner = _owner else { return }
    notePlaceWithInverses(in: owner, at: nil)
  }

  @inline(never)
  fileprivate func notePlaceWithInverses(in owner: ObjectBase, at offset: Int?) {
    guard owner is Object, descriptor.hasInverses,
      let binding = owner._origin?.host.binding(of: Swift.type(of: owner)),
      let key = try? binding.key(of: owner),
      let property = offset.map({ binding.descriptor.property(at: $0) }) ?? owner.property(holding: self)
    else { return }
    _place = PartPlace(type: binding.descriptor.type, key: ObjectKey(bytes: key), property: property.name)
  }
}

extension ObjectBase {
  fileprivate func property(holding part: EmbeddedObject) -> PropertyDescriptor? {
    descriptor.properties.first { $0.type.kind == .embedded && holds(part, in: $0) }
  }

  func holds(_ part: EmbeddedObject, in property: PropertyDescriptor) -> Bool {
    guard !isDeferred(property) else { return false }
    return (valueInMemory(of: property) as? any EmbeddedObjectHolder)?.holds(part) ?? false
  }
}
