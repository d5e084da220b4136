import Fief

/// A property, variable or parameter whose value can be used on any thread: an object, an embedded object, a list, a set, a
/// map, an inverse, results, a projection.
///
/// ```swift
/// struct Walk: Sendable { @ThreadSafe var dog: Dog? }
/// let walk = Walk(dog: dog)
/// Task.detached { print(walk.dog?.name ?? "was deleted") }
/// ```
/// Each access reads it from its store: in the newest state, or in the write on this thread, so that
/// assignments to its properties there are changes. It is nil where nothing was assigned, where the object
/// was deleted, and where it cannot be read, which the store reports. A closure that is `@Sendable` captures
/// the wrapper, not a local variable: `let dog = _dog`.
@propertyWrapper
public final class ThreadSafe<Value: ThreadReferable>: Sendable {
  private let place = Lock<_ThreadPlace?>(nil)

  /// Keeps where a value is; nil is nothing.
  ///
  /// A value that is in no store, or was deleted, is not kept, which is `StoreEvent.misuse(_:)`.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// The value as it is now.
  ///
  /// A value that is in no store, or was deleted, is not assigned: the former value stays, and the assignment
  /// is `StoreEvent.misuse(_:)`.
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
          error as? FiefError ?? FiefError(.storage, "Where the value is cannot be found: \(error)")
        )
      }
      place.withLock { $0 = new }
    }
  }
}
