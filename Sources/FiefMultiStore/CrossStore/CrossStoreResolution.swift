import FiefCore

/// The result of resolving a cross-store reference: the object, or the reason why it was not found.
public enum CrossStoreResolution<Element: Object> {
  /// The reason why a reference refers to no object.
  public typealias Reason = CrossStoreResolutionReason

  /// The object was found.
  case found(Element)
  /// The object was not found.
  case missing(Reason)

  /// The object, or `nil` if it was not found.
  public var object: Element? {
    switch self {
    case .found(let object): object
    case .missing: nil
    }
  }

  /// The reason why the object was not found, or `nil` if it was found.
  public var reason: Reason? {
    switch self {
    case .found: nil
    case .missing(let reason): reason
    }
  }
}

/// The reason why a cross-store reference refers to no object: ``CrossStoreResolution/Reason``.
public enum CrossStoreResolutionReason: String, Sendable, Hashable, CaseIterable {
  /// The reference was never set.
  case empty
  /// The text does not consist of a store, a type and a key.
  case malformed
  /// The manager has no repository with that name.
  case unknownStore
  /// The reference is to a different class, or the store does not have the class.
  case otherType
  /// The key does not have the form of the class's keys.
  case otherKey
  /// The object with that key does not exist, or was deleted.
  case noObject
}

extension CrossStoreResolutionReason: CustomStringConvertible {
  /// A description of the reason.
  public var description: String {
    switch self {
    case .empty: "the reference was never set"
    case .malformed: "the text is not a reference"
    case .unknownStore: "no repository of the manager has that name"
    case .otherType: "the store does not have the class, or the reference has another class"
    case .otherKey: "the class's keys have a different form"
    case .noObject: "no object has this key"
    }
  }
}
