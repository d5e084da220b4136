#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Damage to the pages of a store that is open, which can be reverted.
struct PageDamage {
  struct Failed: Error {}

  /// A page of the file.
  struct Page {
    var bytes: [UInt8]

    var isBranch: Bool { bytes[10] == 1 && bytes[11] == 0 }

    /// The keys of a leaf; the rest of a page may have bytes of former entries.
    var keys: [String] {
      func word(_ place: Int) -> Int { Int(bytes[place]) + Int(bytes[place + 1]) << 8 }
      guard word(10) == 2 else { return [] }
      return (0..<(word(12) - 16) / 2).map { index in
        let node = word(16 + 2 * index)
        return String(decoding: bytes[(node + 8)..<(node + 8 + word(node + 6))], as: UTF8.self)
      }
    }

    /// Has the last node of a branch page lead to a page that is far behind the end of the file.
    mutating func leadOut() {
      guard isBranch else { return }
      let count = (Int(bytes[12]) + Int(bytes[13]) << 8 - 16) / 2
      let place = 16 + 2 * (count - 1)
      let node = Int(bytes[place]) + Int(bytes[place + 1]) << 8
      bytes[node + 2] = 0xFF
      bytes[node + 3] = 0xFF
    }
  }

  private static let size = 4096
  private let path: String
  private var original: [Int: [UInt8]] = [:]

  /// - Parameter change: the change of each page but the two first ones.
  init(_ directory: String, _ change: (inout Page) -> Void) throws {
    path = directory + "/data.mdb"
    let file = open(path, O_RDWR)
    guard file >= 0 else { throw Failed() }
    defer { close(file) }
    var page = Page(bytes: [UInt8](repeating: 0, count: Self.size))
    var number = 2
    while pread(file, &page.bytes, Self.size, off_t(number * Self.size)) == Self.size {
      let before = page.bytes
      change(&page)
      if page.bytes != before {
        original[number] = before
        guard pwrite(file, page.bytes, Self.size, off_t(number * Self.size)) == Self.size else {
          throw Failed()
        }
      }
      number += 1
    }
    if original.isEmpty { throw Failed() }
  }

  /// Gives the pages back what they had.
  func undo() throws {
    let file = open(path, O_RDWR)
    guard file >= 0 else { throw Failed() }
    defer { close(file) }
    for (number, bytes) in original {
      guard pwrite(file, bytes, Self.size, off_t(number * Self.size)) == Self.size else { throw Failed() }
    }
  }
}
