/// The default values of links and embedded objects that new objects have dropped. They must not be saved
/// with an object that is already in the store.
package struct DroppedDefaults {
  private struct Value {
    weak var object: ObjectBase?
    let property: PropertyDescriptor
    let value: any Persistable
  }

  private var values: [Value] = []
  private var sweepAt = 1_024

  var isEmpty: Bool { values.isEmpty }

  /// Removes the default objects from links and embedded properties that were not assigned.
  mutating func drop(of object: ObjectBase, _ descriptor: ObjectDescriptor) {
    for property in descriptor.properties
    where property.access == .fault && !object.isAssigned(property) && !object.isDeferred(property) {
      let value = object.withFields { property.field.value($0 + property.offset) }
      if value._isNil { continue }
      values.append(Value(object: object, property: property, value: value))
      object.withFields { _ = property.field.setNil($0 + property.offset) }
    }
  }

  /// Adds dropped values. Removes the entries of released objects, so that a long import runs in bounded
  /// memory.
  mutating func append(_ other: DroppedDefaults) {
    values += other.values
    guard values.count >= sweepAt else { return }
    values.removeAll { $0.object == nil }
    sweepAt = max(1_024, values.count * 2)
  }

  /// Restores the objects after a failed save, except properties that were assigned later.
  package mutating func restore() {
    for value in values.reversed() {
      guard let object = value.object, !object.isAssigned(value.property) else { continue }
      object.stopDeferring(at: value.property.offset)
      object.withFields { value.property.field.restore(value.value, $0 + value.property.offset) }
    }
    values = []
  }
}
