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

  static func of(_ type: ObjectBase.Type) -> ObjectBase {
    let id = Int(bitPattern: ObjectIdentifier(type))
    if let known = known.withLock({ $0[id] }) { return known.object }
    // Outside the lock, since an initialiser of the application's runs; two threads may both make one.
    let made = ClassPrototype(object: SecretDeclaration.recording { type.init() })
    return known.withLock { table in
      if let known = table[id] { return known }
      table[id] = made
      return made
    }.object
  }
}
