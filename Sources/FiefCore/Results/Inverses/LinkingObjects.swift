/// The objects that link to this one through one of their properties: the inverse of a link or of a
/// collection of links.
///
/// ```swift
/// final class Dog: Object {
///   @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// for owner in dog.owners.where({ $0.age > 30 }).sorted(byKeyPath: \.name) { print(owner.name) }
/// ```
/// An inverse is not stored. Each use reads the tree of backlinks, in the newest state or in the scope of the
/// object. You use it like the ``Results`` in ``results``: counting creates no object, and iterating reads in
/// batches. An object that is not in a store has no linking objects. If an object was linked in a write but
/// not added yet, using its inverse adds it, like every query in the write; assign its primary key first.
///
/// In a `write { }` you can change the relationship from this side: see ``append(_:)``.
///
/// In an ``EmbeddedObject``, the inverse contains the object that owns the embedded object, if the owning
/// property is the property of the inverse.
public struct LinkingObjects<Element: Object>: ObjectCollection {
  /// The class of the linking objects.
  public typealias Member = Element

  /// The name of the property; empty in a decoded object until the inverse is first read.
  private(set) var originPropertyName: String
  var target: ObjectBase?
  /// The objects that ``Results/prefetching(_:)-(String...)`` found; `nil` if each use reads them.
  var prefetched: [Element]?

  /// The target's context when the inverse was read; only set together with prefetched objects.
  private var context: ObjectContext?
  /// The results that the inverse shows instead of looking them up. In this case it has no target.
  var shown: InverseSnapshot<Element>?

  /// The prefetched objects, or `nil` in a later write, which may have changed the links.
  var usablePrefetched: [Element]? {
    guard prefetched != nil, isAnyThreadWriting(), let present = target?._context else { return prefetched }
    // The target may have joined a write since the inverse was read.
    if present.currentScope != nil { return present === context ? prefetched : nil }
    return present.readingScope == nil ? prefetched : nil
  }

  /// Creates the inverse of a property of `Element`.
  public init(originProperty: String) {
    self.originPropertyName = originProperty
  }

  /// The objects that link to this one, as results. Unless you sort them, they are in the order of their
  /// keys.
  ///
  /// In a write, this adds an object that was linked but not added yet, because only the inverse of a stored
  /// object can be read.
  ///
  /// Like all results, this is a description that you can keep and send to other threads. Each use reads the
  /// newest committed state, or the state of the scope of the object.
  public var results: Results<Element> {
    if let shown { return shown.results }
    if let target, target._context?.store == nil, WritingThreads.isAny { WriteTransaction.bringIn(target) }
    if let part = target as? EmbeddedObject { return owner(of: part) }
    guard let target, let context = target._context, let store = context.store else {
      return Results(
        failure: FiefError(
          .objectNotFound,
          "The object has no inverse links because it is not in a store.",
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
  /// Returns an iterator over the current linking objects.
  public func makeIterator() -> LinkingObjectsIterator<Element> {
    if let prefetched = usablePrefetched {
      return LinkingObjectsIterator(source: .prefetched(prefetched.makeIterator()), target: target)
    }
    return LinkingObjectsIterator(source: .results(results.makeIterator()), target: target)
  }
}

/// An iterator over ``LinkingObjects``. Copies of it share their position, like copies of
/// ``ResultsIterator``.
public struct LinkingObjectsIterator<Element: Object>: IteratorProtocol {
  enum Source {
    case results(ResultsIterator<Element>)
    case prefetched(IndexingIterator<[Element]>)
  }

  var source: Source
  /// The target. It is kept alive because its inverse contains the prefetched objects.
  let target: ObjectBase?

  /// Returns the next object, or `nil` at the end.
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
  /// Creates the inverse of a property of another type.
  ///
  /// - Parameter originProperty: the name of the property of the linking type.
  public init<Element: Object>(originProperty: String) where Value == LinkingObjects<Element> {
    self.init(wrappedValue: LinkingObjects(originProperty: originProperty))
  }
}

extension StoreCore {
  /// Returns the condition that an object of a type links to a target through a property.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` if the type has no such link.
  func linking(to target: ObjectBase, _ type: Object.Type, _ property: String) throws -> QueryCondition {
    let source = try binding(of: type)
    let targetBinding = try binding(of: Swift.type(of: target))
    guard let origin = source.descriptor.property(named: property),
      source.table.links.contains(where: { $0.column.name == origin.column })
    else {
      throw FiefError(
        .unknownProperty,
        "The type has no link with that name.",
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
  // Another copy of the array can refer to these objects only if it shares its storage with this one.
  func appendHeldObjects(to objects: inout [ObjectBase]) { objects += prefetched ?? [] as [ObjectBase] }
}
