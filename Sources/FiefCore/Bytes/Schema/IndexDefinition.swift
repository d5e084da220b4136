/// An index of one or several properties, as a class declares it in ``ObjectBase/indexes()``.
///
/// ```swift
/// override class func indexes() -> [IndexDefinition] {
///   [IndexDefinition("country", "city"), .unique("team", "number"), .fullText("title", "body")]
/// }
/// ```
/// An index of several properties serves conditions on the first of them, on the first two, and so on, and
/// orders alike. At most eight properties are in one index.
public struct IndexDefinition {
  /// The reference to a property.
  enum Property {
    case name(String)
    case keyPath(AnyKeyPath)
  }

  var kind: IndexEntry.Kind = .ordered
  var isUnique = false
  var isCaseInsensitive = false
  let properties: [Property]

  init(_ properties: [Property]) { self.properties = properties }

  /// An index of the values of properties.
  ///
  /// - Parameter names: the properties, the one that decides first at the front.
  public init(_ names: String...) { self.init(names.map { .name($0) }) }

  /// An index in which no two objects have the same values; an object with nil in one of them may be there
  /// more than once. Links to one object may be among them; queries do not use such an index.
  ///
  /// - Parameter names: the properties, the one that decides first at the front.
  public static func unique(_ names: String...) -> IndexDefinition {
    var index = IndexDefinition(names.map { .name($0) })
    index.isUnique = true
    return index
  }

  /// An index of the words of texts, for `matches`.
  ///
  /// - Parameter names: the properties.
  public static func fullText(_ names: String...) -> IndexDefinition {
    var index = IndexDefinition(names.map { .name($0) })
    index.kind = .fullText
    return index
  }

  /// The same index, in which the case of texts does not count.
  public var caseInsensitive: IndexDefinition {
    var index = self
    index.isCaseInsensitive = true
    return index
  }
}
