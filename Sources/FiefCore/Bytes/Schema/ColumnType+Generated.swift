extension ColumnType {
  /// Whether an unassigned property gets a generated, unique value.
  var isGenerated: Bool { container == .none && !isOptional && (kind == .uuid || kind == .objectId) }
}
