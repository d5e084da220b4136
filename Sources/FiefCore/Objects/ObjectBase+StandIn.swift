extension ObjectBase {
  /// Returns a placeholder for an object that cannot be read. Saving the placeholder fails, because it would
  /// replace the object with the default key.
  package static func standIn() -> Self {
    let object = self.init()
    object.noteStandIn()
    return object
  }

  /// Makes every save of the object fail.
  func noteStandIn() {
    Misfits.note(
      FiefError(
        .objectNotFound,
        "The object stands for one that is gone or could not be read, and cannot be saved.",
        type: Swift.type(of: self).className()
      ),
      of: self
    )
  }
}
