import Fief

/// A value to which ``ThreadSafeReference`` can refer: an object, a collection, results or a projection of a
/// store.
public typealias ThreadConfined = ThreadReferable
