/// The effect of deleting an object on those at the other end of a relationship of it.
///
/// The raw values are part of the on-disk format and are never reused.
public enum DeleteRule: UInt8, Sendable, Hashable, CaseIterable {
  /// Nothing: links that lead to the deleted object stay as they are. They read as nil, are left out of
  /// collections, and lead to the object that is saved under that key later.
  case noAction = 0
  /// Links that lead to the deleted object become nil, and collections lose it.
  case nullify = 1
  /// The objects at the other end are deleted too, by their own rules.
  case cascade = 2
  /// The object cannot be deleted while there are objects at the other end that stay.
  case deny = 3
}

extension DeleteRule: CustomStringConvertible {
  /// The rule as it is declared: `cascade`.
  public var description: String {
    switch self {
    case .noAction: "noAction"
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    }
  }
}
