import Fief

/// A value that a ``ThreadSafeReference`` can lead to: objects, collections, results and projections of a store.
public typealias ThreadConfined = ThreadReferable
