/// The names and texts of the placeholders that a write replaces.
enum ServerValue {
  /// The name of the only member of a placeholder.
  static let name = ".sv"
  static let timestampName = "timestamp"
  static let incrementName = "increment"
  /// The name of the only member of an object that stands for its value.
  static let valueName = ".value"
}

/// A value without children, as it is written.
enum TreeLeaf: Sendable, Equatable {
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  /// The time of the write.
  case timestamp
  /// An amount that is added to the number at the place: an integer or a finite double.
  case increment(JSON)
}

/// A checked value as it is written: without empty nodes, arrays and reserved names.
enum TreeValue: Sendable {
  case leaf(TreeLeaf)
  /// The children in the order of the tree; at least one.
  case node([TreeChild])
}

struct TreeChild: Sendable {
  let name: String
  let value: TreeValue
}
