import Fief

extension _OwnedCollection {
  /// The store of the list, set or map, or `nil` if it is in no store.
  public var realm: Realm? { originStore }

  /// A Boolean value that indicates whether the owner of the collection was deleted from its store, by any
  /// writer.
  ///
  /// Each call looks the owner up in the newest state, or in the write or the handler on this thread. You can
  /// still read the elements. A lookup that fails is reported, and the value is `false`.
  public var isInvalidated: Bool {
    do { return try isOwnerGone() } catch {
      reportFailure(error)
      return false
    }
  }
}

extension Results {
  /// The store of the results, or `nil` for the objects of an unsaved collection.
  public var realm: Realm? { originStore }

  /// `false`: results have no owner, and read the store on each use.
  public var isInvalidated: Bool { false }
}

extension LinkingObjects {
  /// The store of the object to which the objects link, or `nil` if that object is unsaved.
  public var realm: Realm? { originStore }

  /// A Boolean value that indicates whether the object to which the objects link was deleted from its store,
  /// by any writer.
  ///
  /// Each call looks the object up in its store. A lookup that fails is reported, and the value is `false`.
  public var isInvalidated: Bool {
    do { return try isOwnerGone() } catch {
      reportFailure(error)
      return false
    }
  }
}
