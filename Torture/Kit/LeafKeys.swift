/// The keys of the nodes in the leaf pages of a data file: those of records and of entries.
package enum LeafKeys {
  private static let pageSize = 4096
  private static let leafFlag = 2

  /// Whether a byte of a healthy file is part of such a key.
  package static func contain(_ place: Int, of file: [UInt8]) -> Bool {
    func half(_ place: Int) -> Int {
      place + 1 < file.count ? Int(file[place]) | Int(file[place + 1]) << 8 : 0
    }
    let start = place / pageSize * pageSize
    // Both meta pages come first.
    guard start >= 2 * pageSize, half(start + 10) & leafFlag != 0 else { return false }
    return stride(from: start + 16, to: start + half(start + 12), by: 2).contains { entry in
      // A node is its flags and sizes, 8 bytes, the last two of which are the size of the key, and then the key.
      let node = start + half(entry)
      return place >= node + 8 && place < node + 8 + half(node + 6)
    }
  }
}
