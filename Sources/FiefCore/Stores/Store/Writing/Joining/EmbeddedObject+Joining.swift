/// Embedded objects in writes.
extension EmbeddedObject {
  /// Called before an assignment to a property of one of a store: the object that it is a part of joins the write of this thread.
  ///
  /// - Parameter root: the object with a record that it is in; nil where that is not known.
  func willAssign(in root: ObjectBase?) -> Bool {
    guard let root else {
      failWriteForLostOwner()
      return false
    }
    let write = root._context?.write(changing: root, self)
    // The store may have it no more.
    guard let owner = _owner else {
      failWriteForLostOwner()
      return false
    }
    owner.noteChange(of: self)
    guard let write else { return root._context?.reportsAssignment ?? false }
    write.noteChange(of: root)
    return root._isShared
  }

  /// Lets the write of this thread fail: the change has no object that it could be written with.
  func failWriteForLostOwner() {
    guard WritingThreads.isAny, let store = _context?.store else { return }
    (store.activeWrite ?? WritingThreads.scopes.first)?
      .failForLostOwner(type: Swift.type(of: self).className())
  }
}
