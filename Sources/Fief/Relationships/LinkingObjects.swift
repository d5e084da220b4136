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
  private weak var target: ObjectBase?
  /// What is left of the target when it is gone: the inverse of a temporary object, as in
  /// `object(ofType:forPrimaryKey:)?.owners.count`, outlives it.
  private var origin: Origin?

  private struct Origin {
    let key: [UInt8]
    let context: ObjectContext
  }

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

  private var context: ObjectContext? { target?._context ?? origin?.context }

  private func keys() -> [ObjectKey] {
    guard let context, let store = context.store else { return [] }
    do {
      let current = try target.map { try store.binding(of: Swift.type(of: $0)).key(of: $0) }
      guard let key = current ?? origin?.key else { return [] }
      return try store.linkingKeys(
        to: key, from: Element.self, property: originPropertyName, context: context)
    } catch {
      context.report(error, type: Element.className(), property: originPropertyName)
      return []
    }
  }
}

extension LinkingObjects: Sequence {
  /// An iterator over the objects that link here now.
  public func makeIterator() -> AnyIterator<Element> {
    let context = context
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
  public static func _firstRead(_ value: inout Self, of owner: ObjectBase, at offset: Int) {
    value.target = owner
    guard let context = owner._context, let store = context.store else { return }
    value.origin = (try? store.binding(of: Swift.type(of: owner)).key(of: owner)).map {
      Origin(key: $0, context: context)
    }
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
  func linkingKeys(
    to key: [UInt8],
    from type: Object.Type,
    property: String,
    context: ObjectContext
  ) throws -> [ObjectKey] {
    let source = try binding(of: type)
    guard let column = source.descriptor.property(named: property)?.column,
      let link = source.table.links.first(where: { $0.column.name == column })
    else {
      throw FiefError(
        .unknownProperty, "The type has no link of that name.", store: name, type: source.table.name,
        property: property)
    }
    if let scope = context.currentScope {
      try scope.prepareForReading()
      return try Backlinks.sources(of: link, to: key, in: try scope.liveTransaction())
    }
    return try read { try Backlinks.sources(of: link, to: key, in: $0) }
  }
}
