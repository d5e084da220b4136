import Fief

// Key-value observation and the publishers of Combine, which exist only on Apple's platforms. Each message
// contains the code to write instead.

/// Not available: the options of key-value observation.
@available(*, unavailable, message: "use dog.observe(keyPaths: [\"name\"]) { change in }")
public struct KeyValueObservingOptions: OptionSet, Sendable {
  /// The raw value.
  public let rawValue: Int
  /// Creates options from a raw value.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// The value after a change.
  public static let new = KeyValueObservingOptions(rawValue: 1)
  /// The value before a change.
  public static let old = KeyValueObservingOptions(rawValue: 2)
  /// Calls the handler with the initial value.
  public static let initial = KeyValueObservingOptions(rawValue: 4)
  /// A call before each change.
  public static let prior = KeyValueObservingOptions(rawValue: 8)
}

extension ObservableObjectBase {
  /// Not available: observe the committed changes of the object instead.
  @available(
    *,
    unavailable,
    message: "use dog.observe(keyPaths: [\"name\"]) { change in }, which reports committed changes"
  )
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>,
    options: KeyValueObservingOptions = [],
    changeHandler: @escaping (Self, PropertyChange) -> Void
  ) -> NotificationToken { observe { _ in } }

  /// Not available: observe the committed changes of the object instead.
  @available(
    *,
    unavailable,
    message: "use dog.observe(keyPaths: [\"name\"]) { change in }, which reports committed changes"
  )
  public func addObserver(
    _ observer: AnyObject,
    forKeyPath keyPath: String,
    options: KeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {}

  /// Not available: an observation ends with its token.
  @available(*, unavailable, message: "keep the token of dog.observe(keyPaths:) and call token.invalidate()")
  public func removeObserver(_ observer: AnyObject, forKeyPath keyPath: String) {}
}

extension EmbeddedObject {
  /// Not available: an embedded object is observed with its owner.
  @available(
    *,
    unavailable,
    message: "observe the owner: dog.observe(keyPaths: [\"address.city\"]) { change in }"
  )
  public func observe(
    keyPaths: [String]? = nil,
    _ handler: @escaping (ObjectChange<Object>) -> Void
  ) -> NotificationToken? { nil }
}

extension Store.Notification {
  /// Not available: results read the newest state without `refresh()`.
  @available(*, unavailable, message: "results read the newest state without refresh(): remove the case")
  public static var refreshRequired: Store.Notification { .didChange }
}

/// Not available: use the asynchronous sequence `changes()` instead.
@available(*, unavailable, message: "changes are sequences: for try await change in dogs.changes() { }")
public enum RealmPublishers {}

#if !canImport(Combine)
  /// Not available: use the asynchronous sequence `changes()` instead.
  @available(*, unavailable, message: "changes are sequences: for try await change in dogs.changes() { }")
  public func valuePublisher<Observed>(_ observed: Observed, keyPaths: [String]? = nil) -> Never? { nil }

  /// Not available: use the asynchronous sequence `changes()` instead.
  @available(*, unavailable, message: "changes are sequences: for try await change in dogs.changes() { }")
  public func changesetPublisher<Observed>(_ observed: Observed, keyPaths: [String]? = nil) -> Never? { nil }

  extension ObservableObjectBase {
    /// Not available: use the asynchronous sequence `changes()` instead.
    @available(*, unavailable, message: "changes are sequences: for try await change in dog.changes() { }")
    public var objectWillChange: Never? { nil }
  }

  extension Store {
    /// Not available: observe the objects that the view shows.
    @available(
      *,
      unavailable,
      message: "observe what is shown: for try await change in realm.objects(Dog.self).changes() { }"
    )
    public var objectWillChange: Never? { nil }
  }

  extension ObservableContents {
    /// Not available: use the asynchronous sequence `changes()` instead.
    @available(*, unavailable, message: "changes are sequences: for try await change in dogs.changes() { }")
    public var collectionPublisher: Never? { nil }

    /// Not available: use the asynchronous sequence `changes()` instead.
    @available(
      *,
      unavailable,
      message: "changes are sequences: for try await change in dogs.changes(keyPaths:) { }"
    )
    public func collectionPublisher(keyPaths: [String]?) -> Never? { nil }

    /// Not available: use the asynchronous sequence `changes()` instead.
    @available(*, unavailable, message: "changes are sequences: for try await change in dogs.changes() { }")
    public var changesetPublisher: Never? { nil }

    /// Not available: use the asynchronous sequence `changes()` instead.
    @available(
      *,
      unavailable,
      message: "changes are sequences: for try await change in dogs.changes(keyPaths:) { }"
    )
    public func changesetPublisher(keyPaths: [String]?) -> Never? { nil }
  }
#endif

extension ObservableContents {
  /// Not available: use the asynchronous sequence `changes()` instead.
  @available(*, unavailable, message: "changes are sequences: for try await change in dogs.changes() { }")
  public var objectWillChange: Never? { nil }
}
