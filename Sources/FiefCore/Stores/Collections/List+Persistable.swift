// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension List: Persistable {
  public static var _columnType: ColumnType {
    var type = Element._elementType
    type.container = .list
    return type
  }
  public static func _defaultValue() -> Self { Self() }
  public static var _actsOnFirstRead: Bool { true }
  public static var _attachesToOwner: Bool { true }
  public static func _firstRead(_ value: inout List, of owner: ObjectBase, at offset: Int) {
    if owner.isDeferred(at: offset) { value.read(of: owner, at: offset) }
    let isAdopted = value.isAdopted(by: owner)
    value.attach(to: owner, at: offset)
    if isAdopted { return }
    if Element._mayNeedAdoption(by: owner) { for element in value.plainValues { element._adopt(by: owner) } }
    value.notePlaces()
  }
  /// Another object's list is copied, so that each owner has its own list.
  public static func _assigned(_ newValue: List, to owner: ObjectBase) -> Self {
    newValue.willRead()
    let list = Self()
    list.load(newValue)
    if Element.self == AnyRealmValue.self { list.given = NotedObjects(areAll: true) }
    return list
  }
  /// The property keeps its own list instance, because other code may refer to it.
  public static func _replacing(_ value: List, with newValue: List, of owner: ObjectBase) -> List {
    guard value.owner === owner, value !== newValue else { return newValue }
    value.restore(newValue)
    return value
  }
  public static func _deferred(_ source: _DeferredValue) -> Self? {
    let list = Self()
    list.deferredSource = source
    return list
  }
  public func _resolved() throws -> Self {
    guard let source = deferredSource else { return self }
    let list = Self()
    list.load(try source.read { try CollectionCoding.readElements(Element.self, from: &$0) } ?? [])
    return list
  }
  public var _isUnread: Bool { unread != nil }
  public static var _mayHaveUnknown: Bool { Element._mayBeUnknownElement }
  public func _append(to writer: inout _ValueWriter) throws { try append(to: &writer) }
  public static func _read(from reader: inout _ValueReader) throws -> Self {
    let list = Self()
    list.load(try CollectionCoding.readElements(Element.self, from: &reader))
    return list
  }
  public static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    let list = Self()
    list.load(try CollectionCoding.convertElements(Element.self, value, conversion))
    return list
  }
}

extension List: ObjectHoldingCollection {
  func appendHeldObjects(to objects: inout [ObjectBase]) { contents?.appendHeldObjects(to: &objects) }
}

extension List: EmbeddedObjectHolder {
  func holds(_ object: EmbeddedObject) -> Bool { readParts.contains { $0 === object } }
  func didChangePart() { stored = nil }
}
