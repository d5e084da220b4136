import Fief

extension Object {
  /// The store from which the object was read or in which it was saved, or `nil` for an unsaved object.
  ///
  /// A deleted object belongs to no store. ``isInvalidated`` indicates whether it was deleted.
  public var realm: Realm? { originStore }

  /// A Boolean value that indicates whether the object was deleted from its store, by any writer.
  ///
  /// Each call looks the object up in the newest state, or in the write or the handler on this thread. You
  /// can still read the values of a deleted object. A lookup that fails is reported, and the value is
  /// `false`.
  public var isInvalidated: Bool {
    do { return try isGone() } catch {
      originStore?.report(error, of: Self.self)
      return false
    }
  }

  /// Returns a Boolean value that indicates whether two objects are the same object of a store: whether they
  /// have the same class and key. `==` does the same.
  public func isSameObject(as other: Object?) -> Bool { other.map { self == $0 } ?? false }
}

extension EmbeddedObject {
  /// Not available: an embedded object is part of its owner.
  @available(*, unavailable, message: "use isInvalidated of the object that owns it: dog.isInvalidated")
  public var isInvalidated: Bool { false }

  /// The store of the object that owns this object, or `nil` if the owner is unsaved.
  public var realm: Realm? { originStore }

  /// Returns a Boolean value that indicates whether two objects are the same instance. Embedded objects have
  /// no keys.
  public func isSameObject(as other: EmbeddedObject?) -> Bool { self === other }
}
