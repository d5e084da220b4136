/// Embedded objects in writes.
extension EmbeddedObject {
  /// Called before an assignment to a property of a stored embedded object. The object that contains it joins
  /// the write of this thread.
  ///
  /// - Parameter root: the object with a record that contains the embedded object; nil if it is unknown.
  func willAssign(in root: ObjectBase?) -> Bool {
    guard let root else {
      failWriteForLostOwner()
      return false
    }
    let write = root._context?.write(changing: root, self)
    // The store may no longer have the embedded object.
    guard let owner = _owner else {
      failWriteForLostOwner()
      return false
    }
    owner.noteChange(of: self)
    guard let write else { return root._context?.reportsAssignment ?? false }
    write.noteChange(of: root)
    return root._isShared
  }

  /// Makes the write of this thread fail, because there is no object with which the change could be written.
  func failWriteForLostOwner() {
    guard WritingThreads.isAny, let store = _context?.store else { return }
    (store.activeWrite ?? WritingThreads.scopes.first)?.failForLostOwner(of: self)
  }
}
