/// The definition of a ``DerivedProperty``, which determines how its value is computed.
public struct Derivation {
  let kind: DerivedEntry.Kind
  /// The property of the class from which the value is computed; `nil` for the time of the last change.
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

  /// Returns the number of objects of a relationship. The property is an integer.
  ///
  /// - Parameter relationship: a link, a list, a set or a map of links, or an inverse.
  public static func count(of relationship: String) -> Derivation {
    Derivation(.count, .name(relationship))
  }

  /// Returns the sum of a number over the objects of a relationship; 0 if there are no objects.
  ///
  /// - Parameter path: the relationship and the number: `orders.price`.
  public static func sum(of path: String) -> Derivation { Derivation(.sum, path: path) }

  /// Returns the minimum of a value over the objects of a relationship; nil if there are no objects. The
  /// property is optional.
  ///
  /// - Parameter path: the relationship and the number, text or date: `orders.price`.
  public static func min(of path: String) -> Derivation { Derivation(.minimum, path: path) }

  /// Returns the maximum of a value over the objects of a relationship; nil if there are no objects. The
  /// property is optional.
  ///
  /// - Parameter path: the relationship and the number, text or date: `orders.price`.
  public static func max(of path: String) -> Derivation { Derivation(.maximum, path: path) }

  /// Returns a text in lower case.
  ///
  /// - Parameter name: the property with the text.
  public static func lowercased(of name: String) -> Derivation { Derivation(.lowercased, .name(name)) }

  /// The time of the object's last change.
  public static var lastChange: Derivation { Derivation(.lastChange) }
}
