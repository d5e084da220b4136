/// The identity of an object at one point in time. It does not change with the object.
enum ObjectIdentity: Hashable {
  /// An object that has no key yet.
  case instance(ObjectIdentifier)
  /// An object with a generated key.
  case row(type: ObjectIdentifier, Int64)
  /// An object with a primary key.
  case key(type: ObjectIdentifier, [UInt8])
  /// An object of an undeclared class.
  case undeclared(ObjectReference)

  init(_ object: ObjectBase) {
    let type = ObjectIdentifier(Swift.type(of: object))
    if !object.descriptor.primaryKey.isEmpty {
      self = .key(type: type, object.primaryKeyBytes)
    } else if object._rowID != 0 {
      self = .row(type: type, object._rowID)
    } else if let link = object as? UndeclaredObject {
      self = .undeclared(link.reference)
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

  func hash(into hasher: inout Hasher) {
    switch self {
    case .instance(let id): hasher.combine(id)
    case .row(_, let id): hasher.combine(id)
    case .key(_, let bytes): hasher.combine(bytes)
    case .undeclared(let reference): hasher.combine(reference)
    }
  }
}

/// An `AnyRealmValue` in which the identities of its objects replace the objects.
indirect enum ValueIdentity: Hashable {
  case object(ObjectIdentity)
  case list([ValueIdentity])
  case dictionary([ExactText: ValueIdentity])
  case plain(AnyRealmValue)

  init(_ value: AnyRealmValue) {
    switch value {
    case .object(let object): self = .object(ObjectIdentity(object))
    case .list(let values) where value.hasObject: self = .list(values.map(ValueIdentity.init))
    case .dictionary(let values) where value.hasObject:
      self = .dictionary(
        Dictionary(uniqueKeysWithValues: values.map { (ExactText($0.key), ValueIdentity($0.value)) })
      )
    default: self = .plain(value)
    }
  }

  /// Whether one of the objects has no key.
  var hasInstance: Bool { hasObject(where: \.isInstance) }
  /// Whether one of the objects has a generated key.
  var hasRow: Bool { hasObject(where: \.isRow) }

  private func hasObject(where isWanted: (ObjectIdentity) -> Bool) -> Bool {
    switch self {
    case .object(let object): isWanted(object)
    case .list(let values): values.contains { $0.hasObject(where: isWanted) }
    case .dictionary(let values): values.values.contains { $0.hasObject(where: isWanted) }
    case .plain: false
    }
  }
}
