import LMDB

/// What notes the reads of properties of an object that stands for all others: of its fields that are marked so.
package class ReadTracer {
  /// Notes that a property is read, and gives the value that stands for its own.
  func value<Value>(at offset: Int, of object: ObjectBase, _ value: Value) -> Value { value }

  // MARK: What is traced

  /// The threads on which a key path is applied to an object that stands for all others.
  private static let threads = OwnedLock<[WriteQueueThreadID: Int]>([:])

  /// Whether this thread applies a key path to such an object, whose lists are empty: an index of one is no mistake then.
  static var isTracing: Bool { threads.withLock { $0[.current] != nil } }

  static func tracing<Value>(_ read: () -> Value) -> Value {
    let thread = WriteQueueThreadID.current
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

/// Notes which properties of an object are read, by their offsets, for a class whose descriptor is being made, so that the
/// object cannot be asked for it. No link is followed.
// SAFETY: it is used on the thread that has made it, for the length of one call.
final class OffsetTracer: @unchecked Sendable {
  @TaskLocal static var current: OffsetTracer?

  private let object: ObjectBase
  fileprivate(set) var offsets: [Int] = []

  private init(_ object: ObjectBase) { self.object = object }

  /// The offsets of the properties that are read by applying a key path to an object.
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
  /// Has the reads of properties told to a tracer.
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

  /// Whether the reads of its properties are noted.
  final var isTraced: Bool { OffsetTracer.current != nil || _origin?.tracer != nil }

  /// What a property of a tracer's object gives when it is read.
  @inline(never)
  final func traced<Value>(_ value: Value, at offset: Int) -> Value {
    if let tracer = OffsetTracer.current, tracer.notes(offset, of: self) { return value }
    return _origin?.tracer?.value(at: offset, of: self, value) ?? value
  }
}
