import FiefCore

/// The object of another store that a reference leads to, or the reason why it leads to none.
public enum CrossStoreResolution<Element: Object> {
  /// The reason why a reference leads to no object.
  public typealias Reason = CrossStoreResolutionReason

  /// The object.
  case found(Element)
  /// Nothing.
  case missing(Reason)

  /// The object; nil where there is none.
  public var object: Element? {
    switch self {
    case .found(let object): object
    case .missing: nil
    }
  }

  /// The reason why there is no object; nil where there is one.
  public var reason: Reason? {
    switch self {
    case .found: nil
    case .missing(let reason): reason
    }
  }
}

/// The reason why a reference to an object of another store leads to none: ``CrossStoreResolution/Reason``.
public enum CrossStoreResolutionReason: String, Sendable, Hashable, CaseIterable {
  /// The reference was never set.
  case empty
  /// The text is not one of a store, a type and a key.
  case malformed
  /// The manager has no repository of that name.
  case unknownStore
  /// The reference is to another class, or the store does not have the class.
  case otherType
  /// The key is not of the form that the class's keys have.
  case otherKey
  /// There is no object with that key, or not any more.
  case noObject
}

extension CrossStoreResolutionReason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .empty: "the reference was never set"
    case .malformed: "the text is no reference"
    case .unknownStore: "no repository of the manager has that name"
    case .otherType: "the store does not have the class, or the reference is to another one"
    case .otherKey: "the class's keys have another form"
    case .noObject: "there is no object with that key"
    }
  }
}
