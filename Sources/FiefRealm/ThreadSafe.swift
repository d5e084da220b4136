import Fief

/// A property, variable or parameter whose value can be used on any thread: an object, an embedded object, a
/// collection, results or a projection.
///
/// ```swift
/// struct Walk: Sendable { @ThreadSafe var dog: Dog? }
/// let walk = Walk(dog: dog)
/// Task.detached { print(walk.dog?.name ?? "was deleted") }
/// ```
/// Each access reads the value from its store: in the newest state, or in the write on this thread, where you
/// can change it. The value is `nil` if nothing was assigned, if the object was deleted, or if reading fails.
/// A failed read is reported. In a `@Sendable` closure, capture the wrapper `_dog` of a local variable `dog`.
@propertyWrapper
public final class ThreadSafe<Value: ThreadReferable>: Sendable {
  private let place = Lock<_ThreadPlace?>(nil)

  /// Creates a wrapper for a value.
  ///
  /// If the value is not in a store or was deleted, the wrapper stays empty, and `StoreEvent.misuse(_:)` is
  /// reported.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// The present value.
  ///
  /// If a value that is in no store or was deleted is assigned, the former value stays, and the assignment is
  /// reported as `StoreEvent.misuse(_:)`.
  public var wrappedValue: Value? {
    get {
      guard let place = place.withLock({ $0 }), case .success(let store) = place.store else { return nil }
      do { return try place.find(store) as? Value } catch {
        store.report(error, of: place.type)
        return nil
      }
    }
    set {
      let new = newValue?._threadPlace
      if case .failure(let error)? = new?.store {
        return Misuse.report(
          error as? FiefError
            ?? FiefError(.storage, "The location of the value cannot be determined: \(error)")
        )
      }
      place.withLock { $0 = new }
    }
  }
}
