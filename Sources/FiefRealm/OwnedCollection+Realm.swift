import Fief

extension _OwnedCollection {
  /// The store that has the list, set or map; nil where none has.
  public var realm: Realm? { originStore }

  /// Whether the object that the collection belongs to was in a store and has been deleted there since, by
  /// any writer.
  ///
  /// Each call looks the object up in its store: in the newest state, or in the write on this thread. The
  /// elements can be read all the same. A failed lookup is reported by the store, and the answer is false.
  public var isInvalidated: Bool {
    do { return try isOwnerGone() } catch {
      reportFailure(error)
      return false
    }
  }
}

extension Results {
  /// The store that is asked; nil for the objects of a collection that no store has.
  public var realm: Realm? { originStore }
}

extension Results {
  /// False: results belong to no object, and are looked up at each use.
  public var isInvalidated: Bool { false }
}

extension LinkingObjects {
  /// The store of the object that is linked; nil where none has it.
  public var realm: Realm? { originStore }

  /// Whether the object that is linked was in a store and has been deleted there since, by any writer.
  ///
  /// Each call looks the object up in its store. A failed lookup is reported by the store, and the answer is false.
  public var isInvalidated: Bool {
    do { return try isOwnerGone() } catch {
      reportFailure(error)
      return false
    }
  }
}
