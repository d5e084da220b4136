import LMDB

/// Records the reads of marked properties on an object that represents all objects of its class.
package class ReadTracer {
  /// Records that a property is read, and returns a value in place of the property's own value.
  func value<Value>(at offset: Int, of object: ObjectBase, _ value: Value) -> Value { value }

  // MARK: Traced reads

  /// The threads on which a key path is currently applied to a traced object.
  private static let threads = OwnedLock<[UInt: Int]>([:])

  /// Whether this thread is applying a key path to a traced object. The lists of a traced object are empty,
  /// so an index out of range is not an error.
  static var isTracing: Bool { threads.withLock { $0[currentThread()] != nil } }

  static func tracing<Value>(_ read: () -> Value) -> Value {
    let thread = currentThread()
    threads.withLock { $0[thread, default: 0] += 1 }
    defer {
      threads.withLock { threads in
        threads[thread, default: 1] -= 1
        if threads[thread] == 0 { threads[thread] = nil }
      }
    }
    return read()
  }
}

/// Records the offsets of the properties that are read from an object. It is used for a class whose
/// descriptor is still being created. Links are not followed.
// SAFETY: it is used only on the thread that created it, during one call.
final class OffsetTracer: @unchecked Sendable {
  @TaskLocal static var current: OffsetTracer?

  private let object: ObjectBase
  fileprivate(set) var offsets: [Int] = []

  private init(_ object: ObjectBase) { self.object = object }

  /// Returns the offsets of the properties that are read when a key path is applied to an object.
  static func offsets(
    of keyPath: AnyKeyPath,
    in object: ObjectBase,
    _ properties: [PropertyDescriptor]
  ) -> [Int] {
    let tracer = OffsetTracer(object)
    object.markTraced(properties)
    $current.withValue(tracer) { _ = object[keyPath: keyPath] }
    return tracer.offsets
  }

  fileprivate func notes(_ offset: Int, of object: ObjectBase) -> Bool {
    guard object === self.object else { return false }
    offsets.append(offset)
    return true
  }
}

extension ObjectBase {
  /// Makes reads of the properties call a tracer.
  func markTraced(_ properties: [PropertyDescriptor]) {
    withFields { base in
      for property in properties {
        let flags = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self)
        base.storeBytes(
          of: flags | PersistedFlags.traced,
          toByteOffset: property.flagsOffset,
          as: UInt8.self
        )
      }
    }
  }

  /// Whether the reads of the object's properties are recorded.
  final var isTraced: Bool { OffsetTracer.current != nil || _origin?.tracer != nil }

  /// Returns the value of a property of a traced object, and records the read.
  @inline(never)
  final func traced<Value>(_ value: Value, at offset: Int) -> Value {
    if let tracer = OffsetTracer.current, tracer.notes(offset, of: self) { return value }
    return _origin?.tracer?.value(at: offset, of: self, value) ?? value
  }
}
