import Fief

extension Object {
  /// The store that the object was read from or saved to; nil for one of no store.
  ///
  /// A deleted object belongs to no store; ``isInvalidated`` says that it was in one.
  public var realm: Realm? { originStore }

  /// Whether the object was in a store and has been deleted there since, by any writer.
  ///
  /// Each call looks the object up in its store: in the newest state, or in the write on this thread. Its
  /// values can be read all the same. A failed lookup is reported by the store, and the answer is false.
  public var isInvalidated: Bool {
    do { return try isGone() } catch {
      originStore?.report(error, of: Self.self)
      return false
    }
  }

  /// Whether two objects are the same one of a store, as `==` says too: of one class, with one key.
  public func isSameObject(as other: Object?) -> Bool { other.map { self == $0 } ?? false }
}

extension EmbeddedObject {
  /// Not available: an embedded object is a value of the object that it is in.
  @available(*, unavailable, message: "ask the object that it is embedded in: dog.isInvalidated")
  public var isInvalidated: Bool { false }

  /// The store that has the object that this one is in; nil for one of no store.
  public var realm: Realm? { originStore }

  /// Whether two objects are the same instance: embedded objects have no keys that identify them.
  public func isSameObject(as other: EmbeddedObject?) -> Bool { self === other }
}
