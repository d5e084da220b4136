/// The identity of an element in a set.
///
/// It never changes, even if its object does, because a dictionary must not contain keys that change.
enum ElementKey<Element: RealmCollectionValue>: Hashable {
  /// An object.
  case object(ObjectIdentity)
  /// An `AnyRealmValue` that contains objects.
  case parts(ValueIdentity)
  /// Any other value.
  case value(Element)

  init(_ element: Element) {
    if let object = element as? ObjectBase {
      self = .object(ObjectIdentity(object))
    } else if Element.self == AnyRealmValue.self, let value = element as? AnyRealmValue, value.hasObject {
      self = .parts(ValueIdentity(value))
    } else {
      self = .value(element)
    }
  }

  /// Whether the element contains an unsaved object whose key the next save assigns.
  var hasInstance: Bool {
    switch self {
    case .object(let object): object.isInstance
    case .parts(let value): value.hasInstance
    case .value: false
    }
  }

  /// Whether the element contains an object with a generated key, which may have had no key when the element
  /// was inserted.
  var hasRow: Bool {
    switch self {
    case .object(let object): object.isRow
    case .parts(let value): value.hasRow
    case .value: false
    }
  }

  static func == (first: ElementKey, second: ElementKey) -> Bool {
    switch (first, second) {
    case (.object(let first), .object(let second)): first == second
    case (.parts(let first), .parts(let second)): first == second
    case (.value(let first), .value(let second)): Element._areEqual(first, second)
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .object(let object): object.hash(into: &hasher)
    case .parts(let value): value.hash(into: &hasher)
    case .value(let value as any Hashable): value.hashAsElement(into: &hasher)
    case .value(let value):
      let bytes = CollectionCoding.bytes(of: value)
      hasher.combine(CollectionPayload.identity(of: bytes, type: Element._elementType))
    }
  }
}

extension Hashable {
  /// Hashes the value. All NaNs have the same hash, because a set treats them as one element.
  func hashAsElement(into hasher: inout Hasher) { if self == self { hash(into: &hasher) } }
}
