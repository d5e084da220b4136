package enum QueryComparison: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  /// Text in text, or bytes in data. Values in collections are quantified conditions.
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  /// `?` is any character, `*` any number of them; a backslash before one takes it literally.
  case like = "LIKE"

  /// The comparison with its sides exchanged; nil where there is none.
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
