/// The effect of deleting an object on the objects at the other end of one of its relationships.
///
/// The raw values are part of the on-disk format and are never reused.
public enum DeleteRule: UInt8, Sendable, Hashable, CaseIterable {
  /// No effect: links to the deleted object stay unchanged. They read as nil, collections skip them, and if
  /// an object is later saved with the same key, they lead to it.
  case noAction = 0
  /// Links to the deleted object become nil, and the object is removed from collections.
  case nullify = 1
  /// The objects at the other end are deleted too, by their own rules.
  case cascade = 2
  /// The object cannot be deleted while there are objects at the other end that are not deleted with it.
  case deny = 3
}

extension DeleteRule: CustomStringConvertible {
  /// The rule as it is declared, such as `cascade`.
  public var description: String {
    switch self {
    case .noAction: "noAction"
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    }
  }
}
