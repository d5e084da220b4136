extension Optional where Wrapped == [UInt8] {
  /// Calls `body` with the bytes, or with `nil`.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer?) throws -> Result) rethrows -> Result {
    guard let self else { return try body(nil) }
    return try self.withUnsafeBytes { try body($0) }
  }
}
