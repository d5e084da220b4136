import LMDB

/// Computes the set of key elements that the conditions on one column allow.
///
/// All conditions refer to this column, as determined by ``QueryBinder/subject(of:)``.
struct ConditionElements {
  let kind: ColumnType.Kind
  /// Whether the tree stores texts with folded case.
  let isFolded: Bool
  private let isCollection: Bool
  private let domain: ElementDomain?
  /// The encoding of elements in keys, if the column is secret.
  private let secret: SecretElements?

  init(_ type: ColumnType, isFolded: Bool, secret: SecretElements? = nil) {
    self.secret = secret
    kind = type.kind
    isCollection = type.container != .none
    self.isFolded = isFolded
    domain = ElementDomain(kind)
  }

  /// Returns the set of elements that may meet a condition, or `nil` if the column's elements cannot decide
  /// the condition.
  func set(of condition: QueryCondition) -> ElementSet? {
    if isCollection { return collectionSet(of: condition) }
    switch condition {
    case .constant(let value): return value ? .all : ElementSet.none
    case .not(let condition):
      // The complement of a link's elements is unknown, because backlinks have no entry for nil.
      return kind == .link ? nil : set(of: condition)?.complement()
    case .all(let conditions):
      var result: ElementSet?
      var isExact = true
      for condition in conditions {
        if let set = set(of: condition) {
          result = result?.intersection(set) ?? set
        } else {
          isExact = false
        }
      }
      if conditions.isEmpty { return .all }
      return isExact ? result : result?.inexact()
    case .any(let conditions):
      var sets: [ElementSet] = []
      for condition in conditions {
        guard let set = set(of: condition) else { return nil }
        sets.append(set)
      }
      return .union(sets)
    case .comparison(.path, let comparison, .value(let value), let options):
      return set(comparison, value, options)
    case .comparison(.value(let value), let comparison, .path, let options):
      return comparison.mirrored.flatMap { set($0, value, options) }
    case .oneOf(_, let values, let options):
      if options.isEmpty, secret == nil, let set = domain?.set(ofIntegers: values) { return set }
      var sets: [ElementSet] = []
      for value in values {
        guard let set = set(.equal, value, options) else { return nil }
        sets.append(set)
      }
      return .union(sets)
    default: return nil
    }
  }

  /// Returns the set for a single condition on a collection. An object with a collection has several entries,
  /// so conditions on it cannot be combined.
  private func collectionSet(of condition: QueryCondition) -> ElementSet? {
    guard kind == .link, case .quantified(.any, _, .comparison(_, .equal, .value(let value), _)) = condition
    else { return nil }
    return linkSet(.equal, value)
  }

  private func set(
    _ comparison: QueryComparison,
    _ value: QueryValue,
    _ options: QueryTextOptions
  ) -> ElementSet? {
    if kind == .link { return linkSet(comparison, value) }
    if case .null = value { return nullSet(comparison) }
    if kind == .any { return options.isEmpty ? elements(comparison, value) : nil }
    guard kind == .string else { return elements(comparison, value) }
    if options.contains(.diacriticInsensitive) { return nil }
    guard isFolded else { return options.isEmpty ? elements(comparison, value) : nil }
    guard case .string(let text) = value, comparison != .like else { return nil }
    let folded = QueryValue.string(TextFolding.fold(text, .caseInsensitive))
    if options == .caseInsensitive { return elements(comparison, folded) }
    // Equal texts have equal folded forms, but texts with equal folded forms may be different.
    guard comparison == .equal || comparison == .beginsWith else { return nil }
    return elements(comparison, folded)?.inexact()
  }

  /// Returns the elements for which a comparison with a constant other than nil may hold, or `nil` if
  /// elements cannot decide the comparison.
  private func elements(_ comparison: QueryComparison, _ value: QueryValue) -> ElementSet? {
    if let secret { return secret.set(comparison, value, domain) }
    return kind == .any ? AnyElements.set(comparison, value) : domain?.set(comparison, value)
  }

  private func nullSet(_ comparison: QueryComparison) -> ElementSet? {
    var encoder = KeyEncoder()
    encoder.appendNull()
    var null = ElementSet(point: encoder.bytes)
    if kind == .any {
      // The payload of a nil `AnyRealmValue` is empty.
      encoder.removeAll()
      encoder.append(bytes: [])
      null = null.union(secret?.set(ofElement: encoder.bytes) ?? ElementSet(point: encoder.bytes))
    }
    switch comparison {
    case .equal: return null
    case .notEqual: return null.complement()
    default: return nil
    }
  }

  /// Backlinks have no entry for nil, so only targets can be looked up.
  private func linkSet(_ comparison: QueryComparison, _ value: QueryValue) -> ElementSet? {
    guard comparison == .equal, case .object(_, let key) = value else { return nil }
    guard let key else { return ElementSet.none }
    let first = CompositeKey.first(key.bytes)
    let set = ElementSet(point: first)
    return first.count == key.bytes.count ? set : set.inexact()
  }
}
