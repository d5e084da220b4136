import Synchronization

/// The binding of a class, created when the class is first used. A process seldom uses every class of a large
/// schema.
// SAFETY: the reference changes only once, from nil to a binding that this instance owns afterwards.
final class LazyBinding: @unchecked Sendable {
  let descriptor: ObjectDescriptor
  let table: Table
  private let reference = Atomic<UnsafeRawPointer?>(nil)

  init(descriptor: ObjectDescriptor, table: Table) {
    self.descriptor = descriptor
    self.table = table
  }

  deinit {
    if let known = reference.load(ordering: .acquiring) {
      Unmanaged<ObjectBinding>.fromOpaque(known).release()
    }
  }

  /// The binding, unretained. This instance keeps it alive.
  @inline(__always)
  var binding: Unmanaged<ObjectBinding> {
    guard let known = reference.load(ordering: .acquiring) else { return make() }
    return Unmanaged.fromOpaque(known)
  }

  /// Creates the binding. If two threads do so at the same time, one of the two bindings is kept.
  @inline(never)
  private func make() -> Unmanaged<ObjectBinding> {
    let made = Unmanaged.passRetained(ObjectBinding(descriptor: descriptor, table: table))
    let (isOurs, other) = reference.compareExchange(
      expected: nil,
      desired: UnsafeRawPointer(made.toOpaque()),
      ordering: .acquiringAndReleasing
    )
    guard !isOurs, let other else { return made }
    made.release()
    return Unmanaged.fromOpaque(other)
  }
}
