import Foundation

/// The properties of values that a predicate can use.
enum PredicateMember {
  case count, isEmpty, keys, values, dictionary, words
}

/// A type with properties that a predicate can use.
protocol PredicateMembers {
  static func member(_ keyPath: AnyKeyPath) -> PredicateMember?
}

extension List: PredicateMembers {
  static func member(_ keyPath: AnyKeyPath) -> PredicateMember? {
    switch keyPath {
    case \List<Element>.count: .count
    case \List<Element>.isEmpty: .isEmpty
    default: nil
    }
  }
}

extension MutableSet: PredicateMembers {
  static func member(_ keyPath: AnyKeyPath) -> PredicateMember? {
    switch keyPath {
    case \MutableSet<Element>.count: .count
    case \MutableSet<Element>.isEmpty: .isEmpty
    default: nil
    }
  }
}

extension LinkingObjects: PredicateMembers {
  static func member(_ keyPath: AnyKeyPath) -> PredicateMember? {
    switch keyPath {
    case \LinkingObjects<Element>.count: .count
    case \LinkingObjects<Element>.isEmpty: .isEmpty
    default: nil
    }
  }
}

extension Map: PredicateMembers {
  static func member(_ keyPath: AnyKeyPath) -> PredicateMember? {
    switch keyPath {
    case \Map<Key, Value>.count: .count
    case \Map<Key, Value>.isEmpty: .isEmpty
    case \Map<Key, Value>.keys: .keys
    case \Map<Key, Value>.values: .values
    case \Map<Key, Value>.dictionary: .dictionary
    default: nil
    }
  }
}

extension Dictionary: PredicateMembers {
  static func member(_ keyPath: AnyKeyPath) -> PredicateMember? {
    switch keyPath {
    case \Dictionary<Key, Value>.count: .count
    case \Dictionary<Key, Value>.isEmpty: .isEmpty
    default: nil
    }
  }
}

extension Data: PredicateMembers {
  static func member(_ keyPath: AnyKeyPath) -> PredicateMember? {
    switch keyPath {
    case \Data.count: .count
    case \Data.isEmpty: .isEmpty
    default: nil
    }
  }
}

extension String: PredicateMembers {
  static func member(_ keyPath: AnyKeyPath) -> PredicateMember? {
    switch keyPath {
    case \String.count: .count
    case \String.isEmpty: .isEmpty
    case \String.fullText: .words
    default: nil
    }
  }
}

extension AnyKeyPath {
  /// Whether the key path returns the stored form of a value of an application's type.
  var givesStoredValue: Bool {
    switch Swift.type(of: self).rootType {
    case let type as any PersistableEnum.Type: givesRawValue(of: type)
    case let type as any _CustomPersistable.Type: givesPersistableValue(of: type)
    default: false
    }
  }

  /// Compares values, because different key paths may lead to the same requirement of a protocol.
  private func givesRawValue<Value: PersistableEnum>(of type: Value.Type) -> Bool {
    guard Swift.type(of: self).valueType == Value.RawValue.self else { return false }
    return Value.allCases.allSatisfy { ($0 as Any)[keyPath: self] as? Value.RawValue == $0.rawValue }
  }

  private func givesPersistableValue<Value: _CustomPersistable>(of type: Value.Type) -> Bool {
    guard Swift.type(of: self).valueType == Value.PersistedType.self else { return false }
    let samples = [TracedValue.standIn(for: Value.PersistedType.self), Value.PersistedType._defaultForm()]
    let values = samples.compactMap { $0 as? Value.PersistedType }.compactMap { Value._make($0) }
    return !values.isEmpty
      && values.allSatisfy { value in
        guard let given = (value as Any)[keyPath: self] as? Value.PersistedType else { return false }
        return Value.PersistedType._areEqualForms(given, value.persistableValue)
      }
  }
}
