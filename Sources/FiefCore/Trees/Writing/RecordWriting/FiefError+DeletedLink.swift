extension FiefError {
  /// Returns the error for a link to a deleted object.
  ///
  /// - Parameters:
  ///   - table: the type of the deleted object.
  ///   - key: its key, if it is known.
  ///   - type: the type of the object with the link, if it is known.
  ///   - property: the property that is the link.
  static func linkToDeleted(_ table: Table, key: [UInt8]?, from type: String?, property: String?) -> FiefError
  {
    let text = table.primaryKey.isEmpty ? nil : key.map { HiddenValue.text(table.text(ofKey: $0)) }
    return FiefError(
      .objectNotFound,
      "The property links to a deleted object. Add that object again first, or link to another object.",
      type: type,
      property: property,
      details: ["the deleted object: " + table.name + (text.map { " " + $0 } ?? "")]
    )
  }
}
