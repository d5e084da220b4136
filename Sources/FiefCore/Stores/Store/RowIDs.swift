import LMDB

/// The row ids that this process may give to objects without a primary key.
///
/// They are reserved in blocks, in the store, so that processes never collide and a save knows the id
/// before its commit. Blocks double in size, so that many small saves reserve rarely and a store with a
/// few objects wastes few.
final class RowIDs: Sendable {
  private struct Block {
    var next: Int64
    var end: Int64
    var size: Int64
  }

  static let firstBlock: Int64 = 64
  static let largestBlock: Int64 = 65_536

  private let blocks = OwnedLock(SortedTable<UInt32, Block>())

  /// The next id of a type, nil where the block is used up.
  func next(for type: UInt32) -> Int64? {
    blocks.withLock { blocks in
      guard let block = blocks[type], block.next < block.end else { return nil }
      blocks[type]?.next += 1
      return block.next
    }
  }

  /// The number of ids in the next block.
  func blockSize(for type: UInt32) -> Int64 {
    blocks.withLock {
      min(max($0[type].map { $0.size * 2 } ?? Self.firstBlock, Self.firstBlock), Self.largestBlock)
    }
  }

  /// Makes a committed block available. One that comes while another is in use only wastes the rest of it.
  func add(_ range: Range<Int64>, for type: UInt32) {
    blocks.withLock {
      $0[type] = Block(
        next: range.lowerBound,
        end: range.upperBound,
        size: range.upperBound - range.lowerBound
      )
    }
  }
}

extension Range<Int64> {
  /// Takes the first id away; an empty range stays.
  mutating func removeFirstID() -> Int64 {
    let first = lowerBound
    self = Swift.min(first + 1, upperBound)..<upperBound
    return first
  }
}
