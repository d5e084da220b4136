/// Learns which property a key path names: it is applied to an object whose properties note their reads.
///
/// Used on one thread, for the length of one call.
final class PropertyTracer {
  private(set) var offsets: [Int] = []

  func record(_ offset: Int, in object: ObjectBase) { offsets.append(offset) }

  /// The property that a key path of a class names directly, nil where it names none.
  static func property<Root: ObjectBase, Value>(_ keyPath: KeyPath<Root, Value>) -> PropertyDescriptor? {
    let object = Root()
    let tracer = PropertyTracer()
    object._context = ObjectContext(tracer: tracer)
    let descriptor = ObjectDescriptor.of(Root.self)
    object.withFields { base in
      for property in descriptor.properties {
        let flags = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self)
        base.storeBytes(
          of: flags | PersistedFlags.traced,
          toByteOffset: property.flagsOffset,
          as: UInt8.self
        )
      }
    }
    _ = object[keyPath: keyPath]
    guard tracer.offsets.count == 1 else { return nil }
    return descriptor.property(at: tracer.offsets[0])
  }
}
