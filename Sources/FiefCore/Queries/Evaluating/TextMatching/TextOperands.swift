/// The length of a text in characters, of data in bytes, or of a list or dictionary in an `AnyRealmValue` in
/// values.
final class LengthOperand: RowOperand {
  private let operand: RowOperand

  init(_ operand: RowOperand) {
    self.operand = operand
    super.init(kind: .int64)
  }

  override var cost: Int { operand.cost + 15 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    switch try operand.evaluate(row, in: environment) {
    case .text(let text): .integer(Int128(Self.characters(of: text)))
    case .data(let bytes): .integer(Int128(bytes.count))
    case .nested(let payload): .integer(Int128(try NestedPayload(payload).count))
    default: .null
    }
  }

  private static func characters(of text: UnsafeRawBufferPointer) -> Int {
    // In ASCII each byte is a character, except a line feed after a carriage return.
    if TextFolding.isASCII(text), !text.contains(0x0D) { return text.count }
    return String(decoding: text, as: UTF8.self).count
  }
}

/// A text in lower or upper case, by Swift's rules.
final class CasedOperand: RowOperand {
  private let operand: RowOperand
  private let isUpper: Bool
  private var room = ValueWriter()

  init(_ operand: RowOperand, isUpper: Bool) {
    self.operand = operand
    self.isUpper = isUpper
    super.init(kind: operand.kind)
  }

  override var secret: RowColumn? { operand.secret }
  override var cost: Int { operand.cost + 40 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    guard case .text(let text) = try operand.evaluate(row, in: environment) else { return .null }
    room.removeAll()
    if !isUpper, TextFolding.isASCII(text) {
      TextFolding.append(text, .caseInsensitive, to: &room)
    } else {
      let string = String(decoding: text, as: UTF8.self)
      room.append(isUpper ? string.uppercased() : string.lowercased())
    }
    // SAFETY: the buffer does not change until the operand is evaluated again.
    return .text(room.withBytes { $0 })
  }
}
