/// An index of one or several properties. A class declares it in ``ObjectBase/indexes()``.
///
/// ```swift
/// override class func indexes() -> [IndexDefinition] {
///   [IndexDefinition("country", "city"), .unique("team", "number"), .fullText("title", "body")]
/// }
/// ```
/// An index of several properties supports conditions and sort orders that use the first property, the first
/// two properties, and so on. An index has at most eight properties.
public struct IndexDefinition {
  /// A reference to a property.
  enum Property {
    case name(String)
    case keyPath(AnyKeyPath)
  }

  var kind: IndexEntry.Kind = .ordered
  var isUnique = false
  var isCaseInsensitive = false
  let properties: [Property]

  init(_ properties: [Property]) { self.properties = properties }

  /// Creates an index of the values of properties.
  ///
  /// - Parameter names: the properties, in their order in the index.
  public init(_ names: String...) { self.init(names.map { .name($0) }) }

  /// Returns an index in which no two objects have the same values.
  ///
  /// Several objects may have the same values if one of the values is nil. A unique index may include a link
  /// to one object, but queries do not use such an index.
  ///
  /// - Parameter names: the properties, in their order in the index.
  public static func unique(_ names: String...) -> IndexDefinition {
    var index = IndexDefinition(names.map { .name($0) })
    index.isUnique = true
    return index
  }

  /// Returns an index of the words of texts, for `matches`.
  ///
  /// - Parameter names: the properties.
  public static func fullText(_ names: String...) -> IndexDefinition {
    var index = IndexDefinition(names.map { .name($0) })
    index.kind = .fullText
    return index
  }

  /// The same index, but ignoring the case of texts.
  public var caseInsensitive: IndexDefinition {
    var index = self
    index.isCaseInsensitive = true
    return index
  }
}
