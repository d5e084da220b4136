import Fief

extension _OwnedCollection {
  /// The store of the list, set or map; nil if it is in no store.
  public var realm: Realm? { originStore }

  /// A Boolean value that indicates whether the owner of the collection was deleted from its store, by any
  /// writer.
  ///
  /// Each call looks the owner up in the newest state, or in the write on this thread. You can still read the
  /// elements. A lookup that fails is reported, and the value is false.
  public var isInvalidated: Bool {
    do { return try isOwnerGone() } catch {
      reportFailure(error)
      return false
    }
  }
}

extension Results {
  /// The store of the results; nil for the objects of an unsaved collection.
  public var realm: Realm? { originStore }

  /// False: results have no owner, and read the store at each use.
  public var isInvalidated: Bool { false }
}

extension LinkingObjects {
  /// The store of the object whose inverse it is; nil if that object is unsaved.
  public var realm: Realm? { originStore }

  /// A Boolean value that indicates whether the object whose inverse it is was deleted from its store, by any
  /// writer.
  ///
  /// Each call looks the object up in its store. A lookup that fails is reported, and the value is false.
  public var isInvalidated: Bool {
    do { return try isOwnerGone() } catch {
      reportFailure(error)
      return false
    }
  }
}
