/// A query of a JSON tree that no index serves, reported by ``StoreEvent/unindexedTreeQuery(store:_:)``.
public struct UnindexedTreeQuery: Sendable, Hashable, CustomStringConvertible {
  private let hiddenPath: String
  /// The names from a child to the value that orders the children, joined by slashes; `.value` for the values
  /// of the children themselves.
  public let order: String

  package init(path: String, order: String) {
    hiddenPath = HiddenValue.text("/" + path)
    self.order = order
  }

  /// The place whose children the query reads, shown only with the values of errors; see
  /// ``FiefError/showsValues``.
  public var path: String { HiddenValue.resolved(hiddenPath, isShown: FiefError.showsValues) }

  /// A sentence that explains how to declare an index.
  public var description: String {
    "A query of \(path) is ordered by \"\(order)\", and no index serves it. Declare one in the rules of the "
      + "tree: rules.index(pattern, on: \"\(order)\")"
  }
}
