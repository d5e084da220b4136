/// Facts about a kind of values. Code outside the hot paths uses them instead of a switch over the kinds.
package struct ColumnKind: Sendable {
  /// The name of the Swift type.
  package let swiftName: String
  private let ownJSONName: String?
  /// The class of values with which values of the kind can be compared.
  let valueClass: ValueClass
  /// The form of a value in a record.
  let form: Layout.Form
  /// Whether a single value can be indexed.
  let isIndexable: Bool
  /// Whether a single value can be part of a primary key.
  let canBePrimaryKey: Bool
  /// Whether an unset property gets a value that no other object has.
  let isGenerated: Bool

  init(
    _ swiftName: String,
    _ valueClass: ValueClass,
    _ form: Layout.Form,
    jsonName: String? = nil,
    isIndexable: Bool = true,
    canBePrimaryKey: Bool = false,
    isGenerated: Bool = false
  ) {
    self.swiftName = swiftName
    ownJSONName = jsonName
    self.valueClass = valueClass
    self.form = form
    self.isIndexable = isIndexable
    self.canBePrimaryKey = canBePrimaryKey
    self.isGenerated = isGenerated
  }

  /// The name of the kind in the JSON object that represents an `AnyRealmValue`, as in `{"$uuid": …}`.
  package var jsonName: String { ownJSONName ?? swiftName.lowercased() }
}

/// The classes of values: values of the same class can be compared with each other.
enum ValueClass: String, Sendable {
  case number, text, bool, data, date, uuid, objectId, object, embedded, any, collection

  init(_ kind: ColumnType.Kind) { self = kind.facts.valueClass }

  var isScalar: Bool { self != .object && self != .embedded && self != .collection }

  var isOrdered: Bool {
    switch self {
    case .number, .text, .data, .date, .uuid, .objectId, .any: true
    case .bool, .object, .embedded, .collection: false
    }
  }
}
