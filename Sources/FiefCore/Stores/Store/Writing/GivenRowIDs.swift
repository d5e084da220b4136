import LMDB

/// The objects that a save or a write writes under row ids which no commit has confirmed, in case that it fails.
///
/// An object that kept the id of a write that failed would be written under it to whichever store it is saved to next,
/// in place of another object there. An id that a further save uses, while the one that gave it waits, belongs to
/// both: it is taken back when the last of them has failed, and stays when one has succeeded. As long as it stays the
/// object is the store's.
package final class GivenRowIDs {
  /// The value of ``ObjectBase/_rowIDUses`` of an object whose id a commit has confirmed: no failure takes it back.
  static let confirmed = UInt32.max
  /// A save whose caller has no isolation ends on another thread than that of the next one.
  private static let lock = OwnedLock<Void>(())

  /// The objects that got their row id here.
  private(set) var objects: [ObjectBase] = []
  /// The objects that had got theirs from a save that has not ended.
  private(set) var shared: [ObjectBase] = []

  package init() {}

  /// Gives an object an id.
  func give(_ id: Int64, to object: ObjectBase) {
    object._rowID = id
    object._rowIDUses = 1
    objects.append(object)
  }

  /// To be called once for each object that has an id which may be taken back.
  func share(_ object: ObjectBase) {
    Self.lock.withLock { _ in
      guard object._rowIDUses < Self.confirmed - 1 else { return }
      object._rowIDUses += 1
      shared.append(object)
    }
  }

  /// Notes the commit: the ids are the objects' for good.
  func confirm() {
    Self.lock.withLock { _ in
      for object in objects { object._rowIDUses = Self.confirmed }
      for object in shared { object._rowIDUses = Self.confirmed }
    }
    objects = []
    shared = []
  }

  /// Nothing was written: takes back the ids that nothing else uses.
  package func takeBack() {
    Self.lock.withLock { _ in
      for object in shared + objects { Self.takeBackLocked(object) }
    }
    objects = []
    shared = []
  }

  /// The same of one object, of a write that did not keep these.
  static func takeBack(_ object: ObjectBase) { lock.withLock { _ in takeBackLocked(object) } }

  private static func takeBackLocked(_ object: ObjectBase) {
    guard object._rowIDUses > 0, object._rowIDUses < confirmed else { return }
    object._rowIDUses -= 1
    guard object._rowIDUses == 0 else { return }
    object._rowID = 0
    object._context = nil
  }

  /// Calls a closure that gives objects of a failed save their former state, while no other save that has the same objects
  /// confirms their row ids or takes them back.
  static func whileNoneEnds(_ body: () -> Void) { lock.withLock { _ in body() } }
}
