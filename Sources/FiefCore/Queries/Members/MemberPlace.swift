import LMDB

/// The identity of a row in a collection that may contain an object several times: its position as eight
/// big-endian bytes, followed by the object's key.
enum MemberPlace {
  static let count = 8

  static func key(_ place: Int, _ key: some Sequence<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    withUnsafeBytes(of: UInt64(truncatingIfNeeded: place).bigEndian) { bytes += $0 }
    bytes += key
    return bytes
  }

  /// Splits an identity into the position and the object's key. A forged cursor gives position 0.
  static func parts(_ bytes: [UInt8]) -> (place: Int, key: ArraySlice<UInt8>) {
    guard bytes.count >= count else { return (0, []) }
    let place = bytes.withUnsafeBytes { self.place($0) }
    return (place, bytes[count...])
  }

  static func place(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard bytes.count >= count else { return 0 }
    let place = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    return Int(clamping: min(place, UInt64(Int.max / 2)))
  }
}

extension QueryEnvironment {
  /// Calls `body` with the identity of a row: its key, preceded by its position if `hasPlaces` is true.
  @inline(__always)
  func withIdentity<Value>(
    of row: QueryRow,
    hasPlaces: Bool,
    _ body: (UnsafeRawBufferPointer) throws -> Value
  ) rethrows -> Value {
    hasPlaces ? try withPlacedKey(row.key, body) : try body(row.key)
  }

  /// Calls `body` with the object's key from the identity of a row, after setting the environment's position.
  @inline(__always)
  func withKey<Value>(
    of identity: UnsafeRawBufferPointer,
    hasPlaces: Bool,
    _ body: (UnsafeRawBufferPointer) throws -> Value
  ) rethrows -> Value {
    guard hasPlaces, identity.count > MemberPlace.count else { return try body(identity) }
    place = MemberPlace.place(identity)
    return try body(UnsafeRawBufferPointer(rebasing: identity[MemberPlace.count...]))
  }

  @inline(never)
  private func withPlacedKey<Value>(
    _ key: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws -> Value
  ) rethrows -> Value {
    let count = MemberPlace.count + key.count
    return try withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { bytes in
      bytes.storeBytes(of: UInt64(truncatingIfNeeded: place).bigEndian, as: UInt64.self)
      UnsafeMutableRawBufferPointer(rebasing: bytes[MemberPlace.count...]).copyMemory(from: key)
      return try body(UnsafeRawBufferPointer(bytes))
    }
  }
}
