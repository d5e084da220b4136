extension ColumnType {
  /// Whether a property that is not assigned gets a value that no other object has.
  var isGenerated: Bool { container == .none && !isOptional && (kind == .uuid || kind == .objectId) }
}
