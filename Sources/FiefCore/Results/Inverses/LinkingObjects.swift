/// The objects that link to this one through a property of theirs: the inverse of a link or of a collection.
///
/// ```swift
/// final class Dog: Object {
///   @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// for owner in dog.owners.where({ $0.age > 30 }).sorted(byKeyPath: \.name) { print(owner.name) }
/// ```
/// It is not stored: each use looks it up in the tree of backlinks, in the newest state or in the scope that the
/// object is of. It is used like the ``Results`` in ``results``: counting makes no object, iterating streams.
/// An object that is in no store has none; in a write, one that was linked and not added yet is added by the
/// use of its inverse, as it is by every query in the write, so that its primary key has to be assigned before.
///
/// Inside of a `write { }` it can be changed from this side: see ``append(_:)``.
///
/// In an ``EmbeddedObject`` it has the one object that the embedded object is in, if that is in the property that the
/// inverse names.
public struct LinkingObjects<Element: Object>: ObjectCollection {
  /// The class of the linking objects.
  public typealias Member = Element

  /// Empty in an object that was decoded until the inverse is first read.
  private(set) var originPropertyName: String
  var target: ObjectBase?
  /// The objects that ``Results/prefetching(_:)-(String...)`` has found; nil where each use reads them.
  var prefetched: [Element]?

  /// The context that the target had when the inverse was read of it; only kept with prefetched objects.
  private var context: ObjectContext?

  /// The prefetched objects; nil inside a later write, which may have changed the links.
  var usablePrefetched: [Element]? {
    guard prefetched != nil, isAnyThreadWriting(), let present = target?._context else { return prefetched }
    // The target may have joined the write since.
    if present.currentScope != nil { return present === context ? prefetched : nil }
    return present.readingScope == nil ? prefetched : nil
  }

  /// Makes the inverse of a property of `Element`.
  public init(originProperty: String) {
    self.originPropertyName = originProperty
  }

  /// The objects that link here, as results: in the order of their keys until another one is asked for.
  ///
  /// In a write this adds an object that was linked a moment ago, since the inverse of a stored object only
  /// can be looked up.
  ///
  /// Like all results they are a description that can be kept and sent; each use sees the newest committed state, or
  /// that of the scope that the object is of.
  public var results: Results<Element> {
    if let target, target._context?.store == nil, WritingThreads.isAny { WriteTransaction.bringIn(target) }
    if let part = target as? EmbeddedObject { return owner(of: part) }
    guard let target, let context = target._context, let store = context.store else {
      return Results(
        failure: FiefError(
          .objectNotFound,
          "The object is in no store, so that nothing links to it.",
          type: target.map { Swift.type(of: $0).className() },
          property: originPropertyName
        )
      )
    }
    let all = Results<Element>(context: store.inverseContext(of: context))
    do { return all.filtered(by: try store.linking(to: target, Element.self, originPropertyName)) } catch {
      return all.failing(FiefError.ofQuery(error))
    }
  }
}

extension LinkingObjects: Sequence {
  /// An iterator over the objects that link here now.
  public func makeIterator() -> LinkingObjectsIterator<Element> {
    if let prefetched = usablePrefetched {
      return LinkingObjectsIterator(source: .prefetched(prefetched.makeIterator()), target: target)
    }
    return LinkingObjectsIterator(source: .results(results.makeIterator()), target: target)
  }

  /// Zero: the count is not looked up for it.
  public var underestimatedCount: Int { 0 }
}

/// Iterates over ``LinkingObjects``; copies share their place as those of ``ResultsIterator`` do.
public struct LinkingObjectsIterator<Element: Object>: IteratorProtocol {
  enum Source {
    case results(ResultsIterator<Element>)
    case prefetched(IndexingIterator<[Element]>)
  }

  var source: Source
  /// Held as long as objects are that were prefetched for it.
  let target: ObjectBase?

  /// The next object, nil at the end.
  public mutating func next() -> Element? {
    switch source {
    case .results(var iterator): return iterator.next()
    case .prefetched(var iterator):
      let object = iterator.next()
      source = .prefetched(iterator)
      return object
    }
  }
}

extension LinkingObjects: LinkingObjectsValue {
  func inverse(of owner: ObjectBase, _ property: PropertyDescriptor) -> Any {
    var inverse = self
    Self._firstRead(&inverse, of: owner, at: property.offset)
    return inverse
  }
}

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
    if value.prefetched != nil { value.context = owner._context }
    guard value.originPropertyName.isEmpty else { return }
    value.originPropertyName = owner.descriptor.property(at: offset)?.originProperty ?? ""
  }
  public mutating func _setPrefetched(_ objects: [ObjectBase]?) {
    prefetched = objects?.compactMap { $0 as? Element }
  }
  public func _append(to writer: inout _ValueWriter) throws {}
  public static func _read(from reader: inout _ValueReader) throws -> Self { _defaultValue() }
  public static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
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
  /// The condition that an object of a type links to a target through a property.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` where the type has no such link.
  func linking(to target: ObjectBase, _ type: Object.Type, _ property: String) throws -> QueryCondition {
    let source = try binding(of: type)
    let targetBinding = try binding(of: Swift.type(of: target))
    guard let origin = source.descriptor.property(named: property),
      source.table.links.contains(where: { $0.column.name == origin.column })
    else {
      throw FiefError(
        .unknownProperty,
        "The type has no link of that name.",
        store: name,
        type: source.table.name,
        property: property
      )
    }
    let key = ObjectKey(bytes: try targetBinding.key(of: target))
    let isTarget = QueryOperand.value(.object(type: targetBinding.table.name, key: key))
    if origin.type.container == .none {
      return .comparison(.path(QueryPath(property)), .equal, isTarget)
    }
    return .quantified(
      .any,
      QueryCollection(QueryPath(property)),
      .comparison(.path(.element), .equal, isTarget)
    )
  }
}

extension LinkingObjects: LinkedElement {
  static var linkedType: ObjectBase.Type? { Element.self }
}

extension LinkingObjects: ThreadBound {}

extension LinkingObjects: ObjectHoldingCollection {
  // The targets cannot be shared with another copy of the array without this object being shared too.
  func appendHeldObjects(to objects: inout [ObjectBase]) { objects += prefetched ?? [] as [ObjectBase] }
}
