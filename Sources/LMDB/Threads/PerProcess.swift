import Synchronization

/// One instance per process. After a fork, the child creates its own instance.
///
/// The child cannot use its parent's instance, because the child does not have the parent's threads, and one
/// of them may have held a lock. The parent's instance stays in the memory of the child.
package struct PerProcess<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
  private final class Holder: Sendable {
    let instance: Instance
    let generation = ForkGuard.currentGeneration

    init(_ instance: Instance) { self.instance = instance }
  }

  private let make: @Sendable () -> Instance
  /// The address of the retained holder, or 0 before the first use.
  private let holder = Atomic<UInt>(0)

  package init(_ make: @escaping @Sendable () -> Instance) { self.make = make }

  package var current: Instance {
    while true {
      let address = holder.load(ordering: .acquiring)
      if let known = UnsafeRawPointer(bitPattern: address) {
        // SAFETY: the holder was retained before its address was stored, and is never released.
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
      // Another thread was faster.
      made.release()
    }
  }
}
