/// A kind of damage to a data file of pages of 4,096 bytes.
package enum DamageKind: String, CaseIterable {
  case bit, headBit, nodeBit, keyBit, metaBit, zeroedPage, zeroedSector, swappedPages, swappedNodes, scattered
  case truncated, truncatedAtPage

  private static let pageSize = 4096

  /// Changes the bytes of a file; says where.
  ///
  /// - Parameter number: the number of times that this kind was applied before: each page gets its turn. At random where it is nil.
  package func apply(
    to file: inout [UInt8],
    number: Int? = nil,
    _ generator: inout some RandomNumberGenerator
  ) -> String {
    let size = Self.pageSize
    let pages = file.count / size
    let page = number.map { 2 + $0 % (pages - 2) } ?? Int.random(in: 2..<pages, using: &generator)
    let start = page * size
    switch self {
    case .bit: return flip(&file, start + Int.random(in: 0..<size, using: &generator), &generator)
    case .headBit: return flip(&file, start + Int.random(in: 0..<16, using: &generator), &generator)
    case .nodeBit: return flip(&file, start + 16 + Int.random(in: 0..<100, using: &generator), &generator)
    case .keyBit:
      let node = start + nodes(file, page, &generator).0
      return flip(&file, min(node + Int.random(in: 0..<20, using: &generator), file.count - 1), &generator)
    case .metaBit:
      let place = Int.random(in: 0..<2, using: &generator) * size + Int.random(in: 0..<152, using: &generator)
      return flip(&file, place, &generator)
    case .zeroedPage:
      for place in start..<start + size { file[place] = 0 }
      return "page \(page)"
    case .zeroedSector:
      let sector = start + Int.random(in: 0..<8, using: &generator) * 512
      for place in sector..<sector + 512 { file[place] = 0 }
      return "sector \(sector / 512)"
    case .swappedPages:
      let other = Int.random(in: 2..<pages, using: &generator)
      for place in 0..<size { file.swapAt(start + place, other * size + place) }
      return "pages \(page) \(other)"
    case .swappedNodes:
      let (_, first) = nodes(file, page, &generator)
      let (_, second) = nodes(file, page, &generator)
      for byte in 0..<2 where first != second { file.swapAt(start + first + byte, start + second + byte) }
      return "page \(page) nodes \(first) \(second)"
    case .scattered:
      for _ in 0..<40 {
        file[start + Int.random(in: 0..<size, using: &generator)] = UInt8.random(
          in: 0...255,
          using: &generator
        )
      }
      return "page \(page)"
    case .truncated:
      let count = Int.random(in: 1..<file.count, using: &generator)
      file.removeLast(count)
      return "\(count) bytes"
    case .truncatedAtPage:
      file.removeLast(file.count - start)
      return "before page \(page)"
    }
  }

  private func flip(
    _ file: inout [UInt8],
    _ place: Int,
    _ generator: inout some RandomNumberGenerator
  ) -> String {
    let bit = UInt8.random(in: 0..<8, using: &generator)
    file[place] ^= 1 << bit
    return "page \(place / Self.pageSize) byte \(place % Self.pageSize) bit \(bit)"
  }

  /// The offset of a node of a page, and the offset of its entry in the page's table.
  private func nodes(
    _ file: [UInt8],
    _ page: Int,
    _ generator: inout some RandomNumberGenerator
  ) -> (Int, Int) {
    func half(_ place: Int) -> Int { Int(file[place]) | Int(file[place + 1]) << 8 }
    let start = page * Self.pageSize
    let count = (half(start + 12) - 16) / 2
    guard count > 0, count < 2000 else { return (16, 16) }
    let place = 16 + 2 * Int.random(in: 0..<count, using: &generator)
    return (min(half(start + place), Self.pageSize - 1), place)
  }
}
