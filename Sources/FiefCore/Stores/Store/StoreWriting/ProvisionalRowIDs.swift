import LMDB

/// The objects that a save or a write stores under row ids that no commit has confirmed yet. If the save or
/// the write fails, the ids are taken back.
///
/// If an object kept the id of a failed write, the next save to any store would write it under this id, in
/// place of another object. If another save uses an id while the save that assigned it waits, the id belongs
/// to both. It is taken back when the last of these saves has failed, and stays if one of them has succeeded.
/// As long as the id stays, the object belongs to the store.
package final class ProvisionalRowIDs {
  /// The value of ``ObjectBase/_rowIDUses`` for an object whose id a commit has confirmed. Such an id is
  /// never taken back.
  static let confirmed = UInt32.max
  /// Needed because a save whose caller has no isolation may end on a different thread than the next save.
  private static let lock = OwnedLock<Void>(())

  /// The objects whose row ids were assigned here.
  private(set) var objects: [ObjectBase] = []
  /// The objects whose row ids were assigned by another save that has not ended.
  private(set) var shared: [ObjectBase] = []

  package init() {}

  /// Assigns an id to an object.
  func give(_ id: Int64, to object: ObjectBase) {
    object._rowID = id
    object._rowIDUses = 1
    objects.append(object)
  }

  /// Adds a use of an object's id that may still be taken back. Must be called once for each such object.
  func share(_ object: ObjectBase) {
    Self.lock.withLock { _ in
      guard object._rowIDUses < Self.confirmed - 1 else { return }
      object._rowIDUses += 1
      shared.append(object)
    }
  }

  /// Records the commit. The objects then keep their ids.
  func confirm() {
    Self.lock.withLock { _ in
      for object in objects { object._rowIDUses = Self.confirmed }
      for object in shared { object._rowIDUses = Self.confirmed }
    }
    objects = []
    shared = []
  }

  /// Removes the ids that no other save uses from the objects, because nothing was written.
  package func takeBack() {
    Self.lock.withLock { _ in
      for object in shared + objects { Self.takeBackLocked(object) }
    }
    objects = []
    shared = []
  }

  /// Removes the id of one object, for a write that did not use this list.
  static func takeBack(_ object: ObjectBase) { lock.withLock { _ in takeBackLocked(object) } }

  private static func takeBackLocked(_ object: ObjectBase) {
    guard object._rowIDUses > 0, object._rowIDUses < confirmed else { return }
    object._rowIDUses -= 1
    guard object._rowIDUses == 0 else { return }
    object._rowID = 0
    object._context = nil
  }

  /// Calls a closure that restores the former state of a failed save's objects. During the call, no other
  /// save of the same objects can confirm their row ids or take them back.
  static func whileNoneEnds(_ body: () -> Void) { lock.withLock { _ in body() } }
}
