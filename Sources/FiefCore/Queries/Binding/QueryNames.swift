/// The mapping from names in queries to those of columns.
package struct QueryNames: Sendable {
  /// The name of the column for a name in a type; nil where there is none.
  package let column: @Sendable (_ name: String, _ type: String) -> String?
  /// The names that a type has, for suggestions; nil where they are those of its columns.
  let names: @Sendable (_ type: String) -> [String]?

  init(
    _ column: @escaping @Sendable (_ name: String, _ type: String) -> String?,
    names: @escaping @Sendable (_ type: String) -> [String]? = { _ in nil }
  ) {
    self.column = column
    self.names = names
  }

  /// Names are those of columns, where there are no classes.
  package static let columns = QueryNames { name, _ in name }
}
