package enum QueryComparison: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  /// A text contains another text, or data contains bytes. Membership in a collection is a quantified
  /// condition instead.
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  /// Matches a pattern, in which `?` matches one character and `*` any number of characters. A backslash
  /// escapes either.
  case like = "LIKE"

  /// The comparison with its sides exchanged, or `nil` if it cannot be mirrored.
  var mirrored: QueryComparison? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .contains, .beginsWith, .endsWith, .like: nil
    }
  }
}
