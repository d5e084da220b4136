import LMDB
import Synchronization

/// A new object of each class. Its wrappers contain the declarations of the properties.
///
/// Prototypes live as long as the process. The `deinit` of a class may use the class's descriptor. If a
/// prototype were released while the descriptor is being created, its `deinit` would create another
/// descriptor with another prototype, in an endless loop.
// SAFETY: the object is only read, and nothing changes it after `of(_:)`.
struct ClassPrototype: @unchecked Sendable {
  private let object: ObjectBase

  /// The prototypes by the addresses of their classes.
  private static let known = OwnedLock(SortedTable<Int, ClassPrototype>())
  /// The prototypes that are being created: for each one the thread and the address of its class. An
  /// initializer runs on one thread from start to end. The type of an array of integers already exists in the
  /// runtime, whereas a task-local value would require new type metadata.
  private static let making = OwnedLock<[Int]>([])
  /// The number of prototypes that are being created. While it is 0, other objects need not search for them.
  private static let makingCount = Atomic(0)

  /// Whether the caller runs inside the `init()` of a class's prototype.
  static func isInTheMaking(_ type: ObjectBase.Type) -> Bool {
    let id = Int(bitPattern: ObjectIdentifier(type))
    return isInTheMaking { $0 == id }
  }

  /// Whether the caller runs inside the `init()` of any class's prototype.
  static var isAnyInTheMaking: Bool { isInTheMaking { _ in true } }

  private static func isInTheMaking(_ isWanted: (Int) -> Bool) -> Bool {
    guard makingCount.load(ordering: .relaxed) > 0 else { return false }
    let thread = Int(bitPattern: currentThread())
    return making.withLock { making in
      for index in stride(from: 0, to: making.count, by: 2)
      where making[index] == thread && isWanted(making[index + 1]) {
        return true
      }
      return false
    }
  }

  static func of(_ type: ObjectBase.Type) -> ObjectBase {
    let id = Int(bitPattern: ObjectIdentifier(type))
    if let known = known.withLock({ $0[id] }) { return known.object }
    // This runs outside the lock, because it calls an initializer of the application. Two threads may both
    // create a prototype.
    let made = ClassPrototype(object: make(type))
    return known.withLock { table in
      if let known = table[id] { return known }
      table[id] = made
      return made
    }.object
  }

  private static func make(_ type: ObjectBase.Type) -> ObjectBase {
    let (thread, id) = (Int(bitPattern: currentThread()), Int(bitPattern: ObjectIdentifier(type)))
    makingCount.wrappingAdd(1, ordering: .relaxed)
    making.withLock { making in
      making.append(thread)
      making.append(id)
    }
    defer {
      making.withLock { making in
        // The prototypes of a thread are nested, and the last entry of a class is the innermost.
        var index = making.count - 2
        while index >= 0, making[index] != thread || making[index + 1] != id { index -= 2 }
        if index >= 0 {
          making.remove(at: index + 1)
          making.remove(at: index)
        }
      }
      makingCount.wrappingSubtract(1, ordering: .relaxed)
    }
    return type.init()
  }
}
