import Dispatch

/// The queues for which `Realm(configuration:queue:)` opened a store.
enum ConfinedQueue {
  private static let key = DispatchSpecificKey<Place>()

  /// The queue of the calling code if a store was opened for it, and nil otherwise.
  static var current: DispatchQueue? { DispatchQueue.getSpecific(key: key)?.queue }

  /// Notes that a store was opened for a queue. The main queue needs no note.
  static func mark(_ queue: DispatchQueue) {
    guard queue !== DispatchQueue.main else { return }
    queue.setSpecific(key: key, value: Place(queue: queue))
  }

  /// A queue keeps its values. A strong reference would keep the queue itself.
  // SAFETY: the reference is assigned once, before another thread can see the instance.
  private final class Place: @unchecked Sendable {
    private(set) weak var queue: DispatchQueue?

    init(queue: DispatchQueue) { self.queue = queue }
  }
}
