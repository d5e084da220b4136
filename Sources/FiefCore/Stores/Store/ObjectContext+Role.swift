extension ObjectContext {
  /// The role of a context whose objects differ from plain objects of a store or a scope.
  enum Role {
    /// The objects are read in the scope, or else in the newest state of the store.
    case plain
    /// The objects are copies of objects that are not in a store. The in-memory store answers queries of
    /// their collection.
    case given(any TemporaryStore)
    /// The objects belong to an attempt of an optimistic transaction, which records their later reads,
    /// including followed links.
    case noting(OptimisticReads)
    /// During one call, properties are resolved with the objects that a prefetch has found. The context
    /// replaces another one.
    case resolving(PrefetchedObjects, for: ObjectContext)
    /// A write has deleted the objects from a store. They are no longer in a store, and are read like new
    /// objects.
    case deleted(from: StoreCore)
    /// The object represents a value that was not read yet.
    case deferred(_DeferredValue)
    /// The objects are not in a store. The reporter receives their failures.
    case unstored(EventReporter)
  }

  /// The in-memory store that answers queries of a collection that is not in a store.
  var givenStore: (any TemporaryStore)? {
    if case .given(let store) = role { store } else { nil }
  }

  /// The recorded reads of an optimistic transaction.
  var reads: OptimisticReads? {
    if case .noting(let reads) = role { reads } else { nil }
  }

  /// The prefetched objects.
  var known: PrefetchedObjects? {
    if case .resolving(let known, _) = role { known } else { nil }
  }

  /// The deferred value that the object represents, if the value has not been read yet.
  var deferred: _DeferredValue? {
    if case .deferred(let value) = role { value } else { nil }
  }
}

/// An in-memory store with copies of objects that are not in a store. It answers queries of their collection.
protocol TemporaryStore: AnyObject, Sendable {
  var store: StoreCore { get }
}
