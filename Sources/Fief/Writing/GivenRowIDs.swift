/// The objects that got a row id while they were encoded, in case that the write does not happen.
///
/// An object that kept the id would be written under it to whichever store it is saved to next, in place
/// of another object there.
final class GivenRowIDs {
  private(set) var objects: [ObjectBase] = []

  func add(_ object: ObjectBase) { objects.append(object) }

  /// Takes the ids back: nothing was written.
  func takeBack() {
    for object in objects { object._rowID = 0 }
    objects = []
  }
}
