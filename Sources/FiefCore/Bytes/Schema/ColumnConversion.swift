/// A conversion of a column's payload from an earlier type to the column's current type.
struct ColumnConversion: Sendable {
  let columnID: UInt16
  let from: ColumnType.Kind
  let to: ColumnType.Kind
  /// The value that replaced nil; `nil` if nil is unchanged.
  let nilPayload: [UInt8]?

  /// Calls `body` with the payload in the column's current type, or with `nil` for nil. The bytes are valid
  /// until `body` returns.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` if the payload does not have the earlier type.
  func apply<Result>(
    _ payload: UnsafeRawBufferPointer?,
    _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    guard let payload else {
      guard let nilPayload else { return try body(nil) }
      return try nilPayload.withUnsafeBytes { try body($0) }
    }
    if from == to { return try body(payload) }
    guard let width = to.fixedWidth, width <= 8, let bits = Self.bits(payload, from: from, to: to) else {
      throw FiefError(.damagedRecord, "A record is damaged.")
    }
    // The bytes are little-endian, so the lower bytes are the payload of a narrower type.
    return try withUnsafeBytes(of: bits.littleEndian) {
      try body(UnsafeRawBufferPointer(rebasing: $0[..<width]))
    }
  }

  /// Returns a payload of the catalogue converted to another type. A payload that does not have the type
  /// `from` is returned unchanged.
  static func converted(
    _ payload: [UInt8],
    from: ColumnType.Kind,
    to: ColumnType.Kind
  ) -> [UInt8] {
    if from == to { return payload }
    let bits = payload.withUnsafeBytes { Self.bits($0, from: from, to: to) }
    guard let bits, let width = to.fixedWidth, width <= 8 else { return payload }
    return withUnsafeBytes(of: bits.littleEndian) { [UInt8]($0[..<width]) }
  }

  /// Returns the bits of the value in the wider type, or `nil` if the payload does not have the narrower
  /// type.
  private static func bits(
    _ payload: UnsafeRawBufferPointer,
    from: ColumnType.Kind,
    to: ColumnType.Kind
  ) -> UInt64? {
    guard payload.count == from.fixedWidth else { return nil }
    let integer: Int64
    switch from {
    case .int8: integer = Int64(payload.load(as: Int8.self))
    case .int16: integer = Int64(Int16(littleEndian: payload.loadUnaligned(as: Int16.self)))
    case .int32: integer = Int64(Int32(littleEndian: payload.loadUnaligned(as: Int32.self)))
    case .int64: integer = Int64(littleEndian: payload.loadUnaligned(as: Int64.self))
    case .float:
      let bits = UInt32(littleEndian: payload.loadUnaligned(as: UInt32.self))
      return Double(Float(bitPattern: bits)).bitPattern
    default: return nil
    }
    return to == .double ? Double(integer).bitPattern : UInt64(bitPattern: integer)
  }
}
