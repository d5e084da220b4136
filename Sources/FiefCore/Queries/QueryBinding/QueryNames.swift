/// A mapping from the names in queries to the names of columns.
package struct QueryNames: Sendable {
  /// Returns the column for a name in a type, or `nil` if the type has no such name.
  package let column: @Sendable (_ name: String, _ type: String) -> String?
  /// Returns the names of a type for suggestions in errors, or `nil` if the names are the names of its
  /// columns.
  let names: @Sendable (_ type: String) -> [String]?

  init(
    _ column: @escaping @Sendable (_ name: String, _ type: String) -> String?,
    names: @escaping @Sendable (_ type: String) -> [String]? = { _ in nil }
  ) {
    self.column = column
    self.names = names
  }

  /// The mapping for stores without classes: each name is the name of a column.
  package static let columns = QueryNames { name, _ in name }
}
