import LMDB

/// The row ids that this process may assign to objects without a primary key.
///
/// The ids are reserved in the store in blocks. Processes therefore never use the same ids, and a save knows
/// the id before its commit. Each block is twice as large as the one before it, so that many small saves
/// reserve rarely and a store with few objects wastes few ids.
final class RowIDs: Sendable {
  private struct Block {
    var next: Int64
    var end: Int64
    var size: Int64
  }

  static let firstBlock: Int64 = 64
  static let largestBlock: Int64 = 65_536

  private let blocks = OwnedLock(SortedTable<UInt32, Block>())

  /// Returns the next id of a type, or nil if the block is used up.
  func next(for type: UInt32) -> Int64? {
    blocks.withLock { blocks in
      guard let block = blocks[type], block.next < block.end else { return nil }
      blocks[type]?.next += 1
      return block.next
    }
  }

  /// Returns the number of ids in the next block.
  func blockSize(for type: UInt32) -> Int64 {
    blocks.withLock {
      min(max($0[type].map { $0.size * 2 } ?? Self.firstBlock, Self.firstBlock), Self.largestBlock)
    }
  }

  /// Makes a committed block available. If another block is still in use, its remaining ids are wasted.
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
  /// Removes and returns the first id. An empty range stays empty.
  mutating func removeFirstID() -> Int64 {
    let first = lowerBound
    self = Swift.min(first + 1, upperBound)..<upperBound
    return first
  }
}
