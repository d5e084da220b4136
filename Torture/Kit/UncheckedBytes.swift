/// The bytes of leaf pages that are no part of a value: keys, and room that nothing uses, two bytes of the head among it. In formats before 6 no checksum of
/// a record covers them.
package enum UncheckedBytes {
  private static let pageSize = 4096
  private static let headSize = 16
  private static let nodeHeadSize = 8
  private static let leafFlag = 2
  private static let overflowFlag = 1

  /// Whether a byte of a healthy file is one of them.
  package static func contain(_ place: Int, of file: [UInt8]) -> Bool {
    func half(_ place: Int) -> Int {
      place + 1 < file.count ? Int(file[place]) | Int(file[place + 1]) << 8 : 0
    }
    let start = place / pageSize * pageSize
    // Both meta pages come first.
    guard start >= 2 * pageSize, half(start + 10) & leafFlag != 0 else { return false }
    // `mp_pad`, which only pages of values of one length use: no store has such.
    if (start + 8..<start + 10).contains(place) { return true }
    let tableEnd = start + half(start + 12)
    guard place >= tableEnd else { return false }
    return stride(from: start + headSize, to: tableEnd, by: 2).allSatisfy { entry in
      // The sizes of the value, flags, the size of the key; then the key and the value, or the number of its own page.
      let node = start + half(entry)
      let key = node + nodeHeadSize
      let value = key + half(node + 6)
      let size = half(node + 4) & overflowFlag != 0 ? 8 : half(node) | half(node + 2) << 16
      return !(node..<key).contains(place) && !(value..<value + size).contains(place)
    }
  }
}
