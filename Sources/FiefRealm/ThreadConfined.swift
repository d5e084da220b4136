import Fief

/// A value that ``ThreadSafeReference`` can refer to: an object, a collection, results or a projection of a
/// store.
public typealias ThreadConfined = ThreadReferable
