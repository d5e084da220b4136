/// The name of the type of the value in an `AnyRealmValue`.
final class TypeNameOperand: RowOperand {
  private let value: RowOperand

  init(_ value: RowOperand) {
    self.value = value
    super.init(kind: .string)
  }

  override var cost: Int { value.cost + 5 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    let name: StaticString =
      switch try value.evaluate(row, in: environment) {
      case .null: "null"
      case .bool: "bool"
      case .integer: "int"
      case .double: "double"
      case .decimal: "decimal"
      case .text: "string"
      case .data: "binary"
      case .date: "date"
      case .uuid: "uuid"
      case .objectId: "objectId"
      case .nested(let payload): payload.first == NestedKind.list.rawValue ? "list" : "dictionary"
      case .object, .embedded: "object"
      case .collection: "list"
      }
    // SAFETY: a constant of the program is never moved or freed.
    return .text(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// Returns the type names to which a name in a query refers, or `nil` if the name is unknown.
  static func names(_ name: String) -> [String]? {
    switch name.lowercased() {
    case "null": ["null"]
    case "bool", "boolean": ["bool"]
    case "int", "integer", "int64", "long": ["int"]
    case "double": ["double"]
    case "decimal", "decimal128": ["decimal"]
    case "numeric", "number": ["int", "double", "decimal"]
    case "string": ["string"]
    case "binary", "data": ["binary"]
    case "date", "timestamp": ["date"]
    case "uuid", "guid": ["uuid"]
    case "objectid": ["objectId"]
    case "list", "array": ["list"]
    case "dictionary": ["dictionary"]
    case "object", "link": ["object"]
    default: nil
    }
  }
}
