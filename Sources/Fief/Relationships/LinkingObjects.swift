/// The objects that link to this one through a property of theirs: the inverse of a link or of a list.
///
/// ```swift
/// final class Dog: Object {
///   @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
/// It is not stored: each use looks it up, in the newest state or in the scope that the object is of.
public struct LinkingObjects<Element: Object> {
  let originPropertyName: String
  private var target: ObjectBase?

  /// Makes the inverse of a property of `Element`.
  public init(originProperty: String) {
    self.originPropertyName = originProperty
  }

  /// The number of objects that link here.
  public var count: Int { keys().count }

  /// Whether nothing links here.
  public var isEmpty: Bool { keys().isEmpty }

  /// The first object that links here, in the order of the keys.
  public var first: Element? { makeIterator().next() }

  private func keys() -> [ObjectKey] {
    guard let target, let store = target._context?.store else { return [] }
    do { return try store.linkingKeys(to: target, from: Element.self, property: originPropertyName) } catch {
      target._context?.report(
        error,
        type: Swift.type(of: target).className(),
        property: originPropertyName
      )
      return []
    }
  }
}

extension LinkingObjects: Sequence {
  /// An iterator over the objects that link here now.
  public func makeIterator() -> AnyIterator<Element> {
    let context = target?._context
    var rest = keys().makeIterator()
    return AnyIterator {
      while let key = rest.next() {
        let object = try? key.bytes.withUnsafeBytes { try context?.object(of: Element.self, key: $0) }
        if let object = object as? Element { return object }
      }
      return nil
    }
  }
}

/// What the schema asks of an inverse, whatever its element.
protocol LinkingObjectsValue {
  var originPropertyName: String { get }
}

extension LinkingObjects: LinkingObjectsValue {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension LinkingObjects: Persistable {
  public static var _columnType: ColumnType {
    ColumnType(.linkingObjects, target: Element.className())
  }
  public static func _defaultValue() -> Self { LinkingObjects(originProperty: "") }
  public static var _actsOnFirstRead: Bool { true }
  public static var _attachesToOwner: Bool { true }
  public static var _isMadeAtEachRead: Bool { true }
  public static func _firstRead(_ value: inout Self, of owner: ObjectBase, at offset: Int) {
    value.target = owner
  }
  public func _append(to writer: inout ValueWriter) throws {}
  public static func _read(from reader: inout ValueReader) throws -> Self { _defaultValue() }
  public static func _convert(_ value: Any, _ conversion: ValueConversion) throws -> Self {
    throw conversion.error(.invalidValue, "An inverse cannot be assigned.")
  }
}

extension Persisted {
  /// The inverse of a property of another type.
  ///
  /// - Parameter originProperty: the name of the property of the linking type.
  public init<Element: Object>(originProperty: String) where Value == LinkingObjects<Element> {
    self.init(wrappedValue: LinkingObjects(originProperty: originProperty))
  }
}

extension StoreCore {
  /// The keys of the objects of a type whose property links to an object.
  func linkingKeys(to target: ObjectBase, from type: Object.Type, property: String) throws -> [ObjectKey] {
    let source = try binding(of: type)
    let targetBinding = try binding(of: Swift.type(of: target))
    guard let column = source.descriptor.property(named: property)?.column,
      let link = source.table.links.first(where: { $0.column.name == column })
    else {
      throw FiefError(
        .unknownProperty,
        "The type has no link of that name.",
        store: name,
        type: source.table.name,
        property: property
      )
    }
    let key = try targetBinding.key(of: target)
    if let scope = target._context?.currentScope {
      try scope.prepareForReading()
      return try Backlinks.sources(of: link, to: key, in: try scope.liveTransaction())
    }
    return try read { try Backlinks.sources(of: link, to: key, in: $0) }
  }
}
