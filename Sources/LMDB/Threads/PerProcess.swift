import Synchronization

/// An instance for each process. After a fork, the child makes an instance of its own.
///
/// The child cannot use the instance of its parent, because the child does not have the parent's threads, and one of them may have
/// held a lock. The parent's instance stays in the memory of the child.
package struct PerProcess<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
  private final class Holder: Sendable {
    let instance: Instance
    let generation = ForkGuard.currentGeneration

    init(_ instance: Instance) { self.instance = instance }
  }

  private let make: @Sendable () -> Instance
  /// The address of the holder, which is retained; 0 before the first use.
  private let holder = Atomic<UInt>(0)

  package init(_ make: @escaping @Sendable () -> Instance) { self.make = make }

  package var current: Instance {
    while true {
      let address = holder.load(ordering: .acquiring)
      if let known = UnsafeRawPointer(bitPattern: address) {
        // SAFETY: it was retained before it was stored, and is never released.
        let holder = Unmanaged<Holder>.fromOpaque(known).takeUnretainedValue()
        if holder.generation == ForkGuard.currentGeneration { return holder.instance }
      }
      let made = Unmanaged.passRetained(Holder(make()))
      let (isStored, _) = holder.compareExchange(
        expected: address,
        desired: UInt(bitPattern: made.toOpaque()),
        ordering: .acquiringAndReleasing
      )
      if isStored { return made.takeUnretainedValue().instance }
      // Another thread was first.
      made.release()
    }
  }
}
