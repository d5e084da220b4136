/// The definition of a ``DerivedProperty``: how its value is computed.
public struct Derivation {
  let kind: DerivedEntry.Kind
  /// The property of the class that it is computed from; nil for the time of the last change.
  let source: IndexDefinition.Property?
  /// The property of the objects at the other end.
  let target: IndexDefinition.Property?

  init(
    _ kind: DerivedEntry.Kind,
    _ source: IndexDefinition.Property? = nil,
    _ target: IndexDefinition.Property? = nil
  ) {
    self.kind = kind
    self.source = source
    self.target = target
  }

  private init(_ kind: DerivedEntry.Kind, path: String) {
    guard let point = path.firstIndex(of: ".") else {
      self.init(kind, .name(path))
      return
    }
    self.init(kind, .name(String(path[..<point])), .name(String(path[path.index(after: point)...])))
  }

  /// The number of objects of a relationship; the property is an integer.
  ///
  /// - Parameter relationship: a link, a list, a set or a map of links, or an inverse.
  public static func count(of relationship: String) -> Derivation {
    Derivation(.count, .name(relationship))
  }

  /// The sum of a number over the objects of a relationship; 0 where there is none.
  ///
  /// - Parameter path: the relationship and the number: `orders.price`.
  public static func sum(of path: String) -> Derivation { Derivation(.sum, path: path) }

  /// The least value over the objects of a relationship; nil where there is none, so that the property is optional.
  ///
  /// - Parameter path: the relationship and the number, text or date: `orders.price`.
  public static func min(of path: String) -> Derivation { Derivation(.minimum, path: path) }

  /// The greatest value over the objects of a relationship; nil where there is none, so that the property is optional.
  ///
  /// - Parameter path: the relationship and the number, text or date: `orders.price`.
  public static func max(of path: String) -> Derivation { Derivation(.maximum, path: path) }

  /// A text in lower case.
  ///
  /// - Parameter name: the text.
  public static func lowercased(of name: String) -> Derivation { Derivation(.lowercased, .name(name)) }

  /// When the object was last written.
  public static var lastChange: Derivation { Derivation(.lastChange) }
}
