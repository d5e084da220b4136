/// An element of a set by its identity in the set.
///
/// It never changes, whatever happens to its object: a dictionary whose keys change traps.
enum ElementKey<Element: RealmCollectionValue>: Hashable {
  /// An object that has no key yet.
  case instance(ObjectIdentifier)
  /// An object with a generated key.
  case row(type: ObjectIdentifier, Int64)
  /// An object with a primary key.
  case key(type: ObjectIdentifier, [UInt8])
  /// Any other value.
  case value(Element)

  init(_ element: Element) {
    guard let object = element as? ObjectBase else {
      self = .value(element)
      return
    }
    let type = ObjectIdentifier(Swift.type(of: object))
    if !object.descriptor.primaryKey.isEmpty {
      self = .key(type: type, object.primaryKeyBytes)
    } else if object._rowID != 0 {
      self = .row(type: type, object._rowID)
    } else {
      self = .instance(ObjectIdentifier(object))
    }
  }

  var isInstance: Bool {
    guard case .instance = self else { return false }
    return true
  }

  var isRow: Bool {
    guard case .row = self else { return false }
    return true
  }

  static func == (first: ElementKey, second: ElementKey) -> Bool {
    switch (first, second) {
    case (.instance(let first), .instance(let second)): first == second
    case (.row(let first, let firstID), .row(let second, let secondID)):
      firstID == secondID && first == second
    case (.key(let first, let firstBytes), .key(let second, let secondBytes)):
      first == second && firstBytes == secondBytes
    case (.value(let first), .value(let second)): Element._areEqual(first, second)
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .instance(let id): hasher.combine(id)
    case .row(_, let id): hasher.combine(id)
    case .key(_, let bytes): hasher.combine(bytes)
    case .value(let value as any Hashable): value.hash(into: &hasher)
    case .value(let value): hasher.combine(CollectionCoding.bytes(of: value))
    }
  }
}
