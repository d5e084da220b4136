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
    guard owner is Object, descriptor.hasInverses,
      let binding = owner._origin?.binding(of: Swift.type(of: owner)), let key = try? binding.key(of: owner),
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
