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
    ConversionErrors.note(
      FiefError(
        .objectNotFound,
        "The object is a placeholder for a deleted or unreadable object and cannot be saved.",
        type: Swift.type(of: self).className()
      ),
      of: self
    )
  }
}
