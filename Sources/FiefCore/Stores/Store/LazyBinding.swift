import Synchronization

/// The binding of a class that is made when the class is first used: a process seldom uses every class of a
/// large schema.
// SAFETY: the reference changes once, from nil to a binding that it owns from then on.
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

  /// The binding without a count of references: it is kept as long as this.
  @inline(__always)
  var binding: Unmanaged<ObjectBinding> {
    guard let known = reference.load(ordering: .acquiring) else { return make() }
    return Unmanaged.fromOpaque(known)
  }

  /// Two threads may both make it; one of the two is kept.
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
