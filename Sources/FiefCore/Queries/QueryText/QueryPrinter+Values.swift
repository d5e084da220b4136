import Foundation

extension QueryPrinter {
  func text(_ value: QueryValue) -> String {
    if hidesValues { return Self.hidden(value) }
    return switch value {
    case .null: "nil"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .double(let value): value.isFinite ? "\(value)" : "DOUBLE('\(FloatText.text(value))')"
    case .decimal(let value): value.isNaN ? "DECIMAL('NaN')" : "DECIMAL('\(value)')"
    case .string(let text): Self.quoted(text)
    case .data(let bytes): "DATA(base64 '\(Data(bytes).base64EncodedString())')"
    case .date(let seconds): "DATE('\(DateText.text(Date(timeIntervalSinceReferenceDate: seconds)))')"
    case .uuid(let id): "UUID('\(id.uuidString)')"
    case .objectId(let id): "OID('\(id)')"
    case .nested(let bytes): "ANYVALUE(base64 '\(Data(bytes).base64EncodedString())')"
    case .object(let type, let key?):
      "OBJECT(\(Self.quoted(type)), \(text(.data(key.bytes))))"
    case .object(let type, nil): "OBJECT(\(Self.quoted(type)), nil)"
    }
  }

  /// Returns the type of a value, to show in place of the value.
  private static func hidden(_ value: QueryValue) -> String {
    switch value {
    case .null: "nil"
    case .bool: "<bool>"
    case .integer: "<integer>"
    case .double: "<double>"
    case .decimal: "<decimal>"
    case .string: "<string>"
    case .data: "<data>"
    case .date: "<date>"
    case .uuid: "<uuid>"
    case .objectId: "<object id>"
    case .nested: "<collection>"
    case .object(let type, _): "<\(type)>"
    }
  }

  /// Returns a quoted text on one line.
  static func quoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'", "\\": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.properties.generalCategory == .control
          || scalar.properties.generalCategory == .lineSeparator
        {
          result += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "'"
  }
}
