/// Lookup tables for bytes of width codes. One byte encodes the widths of four integers.
enum IntegerWidths {
  /// The position of one of the four integers that a byte describes.
  struct Entry {
    /// The total size of the integers before this one, in bytes.
    let before: UInt8
    /// The number of bits of a 64-bit word that the integer does not use.
    let unused: UInt8
  }

  // SAFETY: both tables are written once, by their initialisers, and never freed.

  /// The total size of all four integers, for each byte.
  nonisolated(unsafe) static let sums: UnsafePointer<UInt8> = {
    let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    for byte in 0..<256 { (table + byte).initialize(to: UInt8(bytes(byte, before: 4))) }
    return UnsafePointer(table)
  }()

  /// The entries for all bytes, grouped by integer: entry `256 * n + byte` describes integer `n` (0 to 3) of
  /// `byte`.
  nonisolated(unsafe) static let entries: UnsafePointer<Entry> = {
    let table = UnsafeMutablePointer<Entry>.allocate(capacity: 1024)
    for index in 0..<1024 {
      let (position, byte) = (index >> 8, index & 0xFF)
      let unused = 64 - 8 << ((byte >> (position * 2)) & 3)
      (table + index).initialize(
        to: Entry(before: UInt8(bytes(byte, before: position)), unused: UInt8(unused))
      )
    }
    return UnsafePointer(table)
  }()

  private static func bytes(_ byte: Int, before position: Int) -> Int {
    (0..<position).reduce(0) { $0 + 1 << ((byte >> ($1 * 2)) & 3) }
  }
}
