import Foundation

/// Conversions from a value of a caller or a document to a property's own type.
extension ValueConversion {
  package func bool(_ value: Any) throws -> Bool {
    guard let result = value as? Bool else { throw wrongType(value, expected: "Bool") }
    return result
  }

  package func integer<Value: FixedWidthInteger>(_ value: Any, _ type: Value.Type) throws -> Value {
    if let value = value as? Value { return value }
    if let number = value as? JSONNumber {
      guard let written = DecimalText(number.text), written.isWhole else {
        throw wrongType(value, expected: "\(type)")
      }
      if let result = written.integer.flatMap({ Value(exactly: $0) }) { return result }
      throw outOfRange(value, expected: "\(type)")
    }
    if !(value is Bool), let integer = value as? any BinaryInteger {
      if let result = Value(exactly: integer) { return result }
      throw outOfRange(value, expected: "\(type)")
    }
    throw wrongType(value, expected: "\(type)")
  }

  /// Converts a number to a double. A document's number is decimal and becomes the nearest double; a caller's
  /// integer must be exactly representable as a `Double`.
  package func double(_ value: Any) throws -> Double {
    if let value = value as? Double { return value }
    if let number = value as? JSONNumber {
      guard let result = Double(number.text), result.isFinite else {
        throw outOfRange(value, expected: "Double")
      }
      return result
    }
    if let value = value as? Float { return Double(value) }
    if let value = value as? Decimal { return NSDecimalNumber(decimal: value).doubleValue }
    if !(value is Bool), let integer = value as? any BinaryInteger {
      if isJSON { return Double(integer) }
      if let result = Double(exactly: integer) { return result }
      throw outOfRange(value, expected: "Double")
    }
    throw wrongType(value, expected: "Double")
  }

  package func float(_ value: Any) throws -> Float {
    if let value = value as? Float { return value }
    if let number = value as? JSONNumber {
      guard let result = Float(number.text), result.isFinite else {
        throw outOfRange(value, expected: "Float")
      }
      return result
    }
    let double = try double(value)
    let result = Float(double)
    if result.isInfinite, !double.isInfinite { throw outOfRange(value, expected: "Float") }
    return result
  }

  package func string(_ value: Any) throws -> String {
    guard let result = value as? String else { throw wrongType(value, expected: "String") }
    return result
  }

  package func data(_ value: Any) throws -> Data {
    if let value = value as? Data { return value }
    if let value = value as? [UInt8] { return Data(value) }
    if isJSON, let text = value as? String, let data = Data(base64Encoded: text) { return data }
    throw wrongType(value, expected: isJSON ? "Data (base 64)" : "Data")
  }

  package func date(_ value: Any) throws -> Date {
    if let value = value as? Date { return value }
    guard case .json(let options) = source else { throw wrongType(value, expected: "Date") }
    if let text = value as? String, let date = ISO8601.date(text) { return date }
    if value is Int || value is JSONNumber {
      let number = try double(value)
      switch options.numericDates {
      case .since1970:
        return Date(timeIntervalSince1970: options.epochInMilliseconds ? number / 1000 : number)
      case .since2001: return Date(timeIntervalSinceReferenceDate: number)
      case .refused(let advice):
        throw error(
          .invalidValue,
          "The meaning of a number as a date is ambiguous.",
          details: ["found: " + HiddenValue.text("\(number)"), advice]
        )
      }
    }
    let number =
      switch options.numericDates {
      case .since1970: ", or \(options.epochInMilliseconds ? "milliseconds" : "seconds") since 1970"
      case .since2001: ", or seconds since 2001"
      case .refused: ""
      }
    throw wrongType(value, expected: "Date (ISO 8601 with an offset from UTC\(number))")
  }

  package func uuid(_ value: Any) throws -> UUID {
    if let value = value as? UUID { return value }
    if let text = value as? String, let uuid = UUID(uuidString: text) { return uuid }
    throw wrongType(value, expected: "UUID")
  }

  package func objectId(_ value: Any) throws -> ObjectId {
    if let value = value as? ObjectId { return value }
    if let text = value as? String, let id = ObjectId(text) { return id }
    throw wrongType(value, expected: "ObjectId")
  }

  /// Converts a number to a decimal without losing digits. A number with more digits than a `Decimal` can
  /// represent is an error.
  package func decimal(_ value: Any) throws -> Decimal {
    if let value = value as? Decimal { return value }
    if let value = value as? Int { return Decimal(value) }
    if let text = (value as? JSONNumber)?.text ?? value as? String, let written = DecimalText(text) {
      if let result = written.decimal { return result }
      throw outOfRange(value, expected: "Decimal")
    }
    if let value = value as? Double, value.isFinite, let exact = DecimalText("\(value)")?.decimal {
      return exact
    }
    if !(value is Bool), let integer = value as? any BinaryInteger,
      let exact = DecimalText("\(integer)")?.decimal
    {
      return exact
    }
    throw wrongType(value, expected: "Decimal")
  }
}
