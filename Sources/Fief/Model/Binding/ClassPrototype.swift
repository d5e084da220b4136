import LMDB
import Synchronization

/// A new object of each class, whose wrappers say how they were declared.
///
/// Prototypes live as long as the process. The `deinit` of a class may use the descriptor of the class. If a prototype ended while the
/// descriptor is being made, its `deinit` would make another descriptor with another prototype, without end.
// SAFETY: the object is only read, and nothing changes it after `of(_:)`.
struct ClassPrototype: @unchecked Sendable {
  private let object: ObjectBase

  /// The prototypes by the addresses of their classes.
  private static let known = OwnedLock(SortedTable<Int, ClassPrototype>())
  /// A prototype that is being created on a thread.
  private final class Making: Sendable {
    private let type: ObjectIdentifier
    private let thread = currentThread()
    private let outer: Making?
    let hasEnded = Atomic(false)

    init(_ type: ObjectBase.Type, in outer: Making?) {
      self.type = ObjectIdentifier(type)
      self.outer = outer
    }

    func has(_ type: ObjectBase.Type) -> Bool {
      // A task that an initialiser has started inherits the value, and may run on another thread, or later.
      if ObjectIdentifier(type) == self.type, thread == currentThread(), !hasEnded.load(ordering: .relaxed) {
        return true
      }
      return outer?.has(type) ?? false
    }
  }

  @TaskLocal private static var making: Making?

  /// Whether this code is called from the `init()` of a class's prototype.
  static func isInTheMaking(_ type: ObjectBase.Type) -> Bool { making?.has(type) ?? false }

  static func of(_ type: ObjectBase.Type) -> ObjectBase {
    let id = Int(bitPattern: ObjectIdentifier(type))
    if let known = known.withLock({ $0[id] }) { return known.object }
    // Outside the lock, since an initialiser of the application's runs; two threads may both make one.
    let making = Making(type, in: Self.making)
    let made = $making.withValue(making) {
      ClassPrototype(object: SecretDeclaration.recording { type.init() })
    }
    making.hasEnded.store(true, ordering: .relaxed)
    return known.withLock { table in
      if let known = table[id] { return known }
      table[id] = made
      return made
    }.object
  }
}
