/// The meanings of the bytes of width codes, computed once for all bytes: a byte has the widths of four integers.
enum IntegerWidths {
  /// The place of one of the four integers that a byte describes.
  struct Entry {
    /// The bytes of the integers before it.
    let before: UInt8
    /// The bits of a word that the integer leaves unused.
    let unused: UInt8
  }

  // SAFETY: both tables are written once, by their initialisers, and never freed.

  /// The bytes of all four integers.
  nonisolated(unsafe) static let sums: UnsafePointer<UInt8> = {
    let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    for byte in 0..<256 { (table + byte).initialize(to: UInt8(bytes(byte, before: 4))) }
    return UnsafePointer(table)
  }()

  /// The entries of the first integer for each byte, of the second, of the third, of the fourth.
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
