/// Objects in an `AnyRealmValue`: links without backlinks.
extension AnyRealmValue {
  /// Returns the object, or `nil` if the value is of another type or the object is of another class.
  ///
  /// - Parameter objectType: the class of the object, or a superclass of it.
  public func object<Element: Object>(_ objectType: Element.Type) -> Element? {
    guard case .object(let object) = self else { return nil }
    return object as? Element
  }

  /// The object, or `nil` if the value is of another type. Read its properties by name: `object["name"]`.
  public var dynamicObject: Object? { object(Object.self) }

  /// Whether the value is an object, or contains an object at any depth.
  var hasObject: Bool {
    switch self {
    case .object: true
    case .list(let values): values.contains(where: \.hasObject)
    case .dictionary(let values): values.values.contains(where: \.hasObject)
    default: false
    }
  }

  /// Calls `body` with each object, at any depth.
  func forEachObject(_ body: (Object) throws -> Void) rethrows {
    switch self {
    case .object(let object): try body(object)
    case .list(let values): for value in values { try value.forEachObject(body) }
    case .dictionary(let values): for value in values.values { try value.forEachObject(body) }
    default: break
    }
  }

  /// The objects in the value, at any depth.
  var objects: [ObjectBase] {
    var all: [ObjectBase] = []
    forEachObject { all.append($0) }
    return all
  }

  /// Returns the value with each object replaced. An object for which `body` returns `nil` becomes `.none`.
  func mappingObjects(_ body: (Object) throws -> Object?) rethrows -> AnyRealmValue {
    switch self {
    case .object(let object): try body(object).map { .object($0) } ?? AnyRealmValue.none
    case .list(let values) where hasObject: .list(try values.map { try $0.mappingObjects(body) })
    case .dictionary(let values) where hasObject:
      .dictionary(try values.mapValues { try $0.mappingObjects(body) })
    default: self
    }
  }

  // MARK: Stored form

  /// Whether a payload of a column of any type contains an object. Such a payload is read lazily, because
  /// objects may link to each other in cycles.
  static func hasObject(_ payload: UnsafeRawBufferPointer, _ type: ColumnType) throws -> Bool {
    if type.container == .none { return try hasObject(payload, depth: 0) }
    // The elements of a large collection are in another tree. They are not examined.
    if CollectionMarker.isMarker(payload) { return true }
    var found = false
    try CollectionPayload.forEach(payload, type: type) { _, element in
      if !found, let element { found = try hasObject(element, depth: 0) }
    }
    return found
  }

  /// Returns a payload with each object replaced. An object for which `body` returns `nil` becomes `.none`.
  static func mappingObjects(
    _ payload: UnsafeRawBufferPointer,
    depth: Int = 0,
    _ body: (ObjectReference) throws -> ObjectReference?
  ) throws -> [UInt8] {
    guard try hasObject(payload, depth: depth), let first = payload.first,
      let kind = NestedKind(rawValue: first)
    else { return [UInt8](payload) }
    var reader = ValueReader(UnsafeRawBufferPointer(rebasing: payload[1...]), context: nil)
    var writer = ValueWriter()
    writer.appendInteger(first)
    if kind == .object {
      guard let reference = try body(try ObjectReference(from: &reader)) else { return [] }
      reference.append(to: &writer)
      return writer.bytes
    }
    let count = try reader.count()
    writer.appendCount(count)
    for _ in 0..<count {
      if kind == .dictionary {
        let key = try reader.sized()
        writer.appendSized { $0.append(key) }
      }
      let element = try mappingObjects(try reader.sized(), depth: depth + 1, body)
      writer.appendSized { $0.append(element) }
    }
    return writer.bytes
  }

  /// Calls `body` with the link to each object in a payload, at any depth.
  package static func forEachObject(
    in payload: UnsafeRawBufferPointer,
    depth: Int = 0,
    _ body: (ObjectReference) throws -> Void
  ) throws {
    guard let first = payload.first, let kind = NestedKind(rawValue: first) else { return }
    guard depth < deepest else { throw RecordView.damaged }
    var reader = ValueReader(UnsafeRawBufferPointer(rebasing: payload[1...]), context: nil)
    if kind == .object { return try body(try ObjectReference(from: &reader)) }
    for _ in 0..<(try reader.count()) {
      if kind == .dictionary { _ = try reader.sized() }
      try forEachObject(in: try reader.sized(), depth: depth + 1, body)
    }
  }

  private static func hasObject(_ payload: UnsafeRawBufferPointer, depth: Int) throws -> Bool {
    guard let first = payload.first, let kind = NestedKind(rawValue: first) else { return false }
    if kind == .object { return true }
    guard depth < deepest else { throw RecordView.damaged }
    var reader = ValueReader(UnsafeRawBufferPointer(rebasing: payload[1...]), context: nil)
    for _ in 0..<(try reader.count()) {
      if kind == .dictionary { _ = try reader.sized() }
      if try hasObject(try reader.sized(), depth: depth + 1) { return true }
    }
    return false
  }

  func appendObject(_ object: Object, to writer: inout ValueWriter) throws {
    if let graph = writer.encodedGraph {
      try graph.encoder.appendObject(object, to: &writer)
    } else if let link = object as? UndeclaredObject {
      writer.appendInteger(NestedKind.object.rawValue)
      link.reference.append(to: &writer)
    } else if object._wasDeleted {
      // From now on the value is `.none`.
    } else {
      guard let reference = try ObjectReference(to: object) else {
        throw FiefError(
          .invalidValue,
          "An object without a store cannot be a value of any type here.",
          type: Swift.type(of: object).className()
        )
      }
      writer.appendInteger(NestedKind.object.rawValue)
      reference.append(to: &writer)
    }
  }

  /// Reads the object, or `.none` if the object no longer exists.
  static func readObject(from reader: inout ValueReader) throws -> AnyRealmValue {
    let reference = try ObjectReference(from: &reader)
    guard let origin = reader.origin as? ObjectOrigin else {
      return .object(UndeclaredObject.make(reference, in: nil))
    }
    return origin.host.value(of: reference)
  }
}

extension ObjectReference {
  /// Creates a reference to a stored object, or returns `nil` if the object is not in a store.
  init?(to object: ObjectBase) throws {
    guard let binding = object._origin?.host.binding(of: Swift.type(of: object)) else { return nil }
    self.init(type: binding.table.entry.id, key: try binding.key(of: object))
  }
}

extension AnyRealmValue: DeepCopyable {
  func deepCopy(_ copies: inout DeepCopies) -> Any {
    mappingObjects {
      if copies.leavesOut($0) { return nil }
      return $0 is UndeclaredObject ? $0 : copies.copy(of: $0)
    }
  }
}

extension Array: DeepCopyable where Element == AnyRealmValue {
  func deepCopy(_ copies: inout DeepCopies) -> Any {
    copies.check(self)
    return map { copies.element($0) ?? $0 }
  }
}

extension Set: DeepCopyable where Element == AnyRealmValue {
  func deepCopy(_ copies: inout DeepCopies) -> Any {
    copies.check(self)
    return Set(map { copies.element($0) ?? $0 })
  }
}

extension Dictionary: DeepCopyable where Key == String, Value == AnyRealmValue {
  func deepCopy(_ copies: inout DeepCopies) -> Any {
    copies.check(values)
    return mapValues { copies.element($0) ?? $0 }
  }
}
