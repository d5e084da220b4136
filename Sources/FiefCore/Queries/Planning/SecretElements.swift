import LMDB

/// The key elements of a secret column. Equal values have equal elements, and the elements have no order.
struct SecretElements {
  private let column: ColumnEntry
  private let table: Table
  private let isFolded: Bool

  /// - Parameter isFolded: whether the tree stores texts with folded case.
  init(_ column: ColumnEntry, of table: Table, isFolded: Bool) {
    self.column = column
    self.table = table
    self.isFolded = isFolded && column.type.kind == .string
  }

  /// Returns the elements for which a comparison with a constant may hold, or `nil` if elements cannot decide
  /// the comparison.
  func set(_ comparison: QueryComparison, _ value: QueryValue, _ domain: ElementDomain?) -> ElementSet? {
    guard comparison == .equal || comparison == .notEqual else { return nil }
    let elements =
      column.type.kind == .any
      ? AnyElements.elements(equalTo: value) : domain?.elements(equalTo: value)
    guard let elements else { return nil }
    var sets: [ElementSet] = []
    for element in elements {
      guard let set = set(ofElement: element) else { return nil }
      sets.append(set)
    }
    let equal = sets.isEmpty ? ElementSet.none : ElementSet.union(sets)
    return comparison == .equal ? equal : equal.complement()
  }

  /// Returns an element as it is stored in keys, or `nil` if it cannot be looked up.
  func set(ofElement element: [UInt8]) -> ElementSet? {
    guard let secrets = table.secrets else { return nil }
    guard !isFolded, table.primaryKey.contains(where: { $0.id == column.id }) else {
      let token = element.withUnsafeBytes { secrets.token(of: $0, column.id, isFolded: isFolded) }
      return ElementSet(point: token)
    }
    var encoder = KeyEncoder()
    encoder.append(raw: element)
    secrets.seal(column.id, at: 0, of: &encoder)
    let bounds = ElementBounds(point: encoder.bytes)
    guard let point = bounds.points.first else {
      return ElementSet(ByteRange(prefix: bounds.lower), isExact: false)
    }
    return ElementSet(point: point)
  }
}
