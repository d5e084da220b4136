import LMDB

/// A new object of each class, whose wrappers say how they were declared.
///
/// Prototypes live as long as the process. The `deinit` of a class may use the descriptor of the class. If a prototype ended while the
/// descriptor is being made, its `deinit` would make another descriptor with another prototype, without end.
// SAFETY: the object is only read, and nothing changes it after `of(_:)`.
struct ClassPrototype: @unchecked Sendable {
  private let object: ObjectBase

  /// The prototypes by the addresses of their classes.
  private static let known = OwnedLock(SortedTable<Int, ClassPrototype>())
  /// The classes whose `init()` runs for a prototype, further up the stack.
  @TaskLocal private static var inTheMaking: [ObjectIdentifier] = []

  /// Whether the `init()` of any class, which runs for a prototype, leads to the call.
  static var areInTheMaking: Bool { !inTheMaking.isEmpty }

  /// Whether the `init()` of a class, which runs for the prototype, leads to the call.
  static func isInTheMaking(_ type: ObjectBase.Type) -> Bool { inTheMaking.contains(ObjectIdentifier(type)) }

  static func of(_ type: ObjectBase.Type) -> ObjectBase {
    let id = Int(bitPattern: ObjectIdentifier(type))
    if let known = known.withLock({ $0[id] }) { return known.object }
    // Outside the lock, since an initialiser of the application's runs; two threads may both make one.
    let made = $inTheMaking.withValue(inTheMaking + [ObjectIdentifier(type)]) {
      ClassPrototype(object: SecretDeclaration.recording { type.init() })
    }
    return known.withLock { table in
      if let known = table[id] { return known }
      table[id] = made
      return made
    }.object
  }
}
