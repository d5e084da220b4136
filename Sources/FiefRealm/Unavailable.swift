import Fief

// Features of Realm that Fief does not have. Each message contains the code to write instead.

extension Store {
  /// Not available: `read { }` reads one state.
  @available(*, unavailable, message: "read one state in try realm.read { }, or freeze the results")
  public func freeze() -> Store { self }

  /// Does nothing: objects are copies, and stay usable.
  @available(*, deprecated, message: "objects are copies and hold no version of the store: remove the call")
  public func invalidate() {}
}

extension Store.Configuration {
  /// Not available: there is no synchronization.
  @available(*, unavailable, message: "there is no synchronization with a server")
  public var syncConfiguration: Never? { nil }
}

/// Not available: there is no synchronization.
@available(*, unavailable, message: "there is no synchronization with a server")
public enum App {}

/// Not available: there is no synchronization.
@available(*, unavailable, message: "there is no synchronization with a server")
public enum SyncConfiguration {}

extension ThreadSafeReference {
  /// Not available: a reference can be resolved any number of times.
  @available(*, unavailable, message: "a reference can be resolved any number of times: remove the line")
  public var isInvalidated: Bool { false }

  /// Not available: a reference to a collection of values needs the type of the collection.
  @available(
    *,
    unavailable,
    message: "create the reference from the list or the set behind the collection"
  )
  public init<Element>(to collection: AnyRealmCollection<Element>)
  where Confined == AnyRealmCollection<Element> {
    self.init(_ThreadPlace(ObjectBase.self, in: nil) { _ in nil })
  }
}

extension Store.Configuration {
  /// Not available: opening a store never changes its format.
  @available(*, unavailable, message: "opening a store of an older format fails or reads it: remove the line")
  public var disableFormatUpgrade: Bool { false }

  /// Nil, without effect: objects hold no versions of the store.
  @available(*, deprecated, message: "nothing holds old versions: remove the line")
  public var maximumNumberOfActiveVersions: UInt? {
    get { nil }
    set {}
  }
}
