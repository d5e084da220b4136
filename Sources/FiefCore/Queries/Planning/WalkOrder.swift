import LMDB

/// The order in which the entries of an index are handed out.
struct WalkOrder: Equatable {
  /// The number of the tree's columns that make a group: entries with equal values in them.
  var groupColumns: Int
  /// Whether groups go from the greatest to the least.
  var isBackward: Bool
  /// Whether the entries of a group go backward.
  var areTiesBackward: Bool
  /// Whether groups have to be in the order of the values. Where there is only one, or the order is free, it
  /// does not matter that cut entries have none.
  var isByValue: Bool
  /// Whether nil in the first column of the order is above all values. Entries have it below them, so that its
  /// range is then the last one, out of the order of bytes.
  var nilsAreGreatest = false

  /// The order of the objects' keys.
  static func keys(isBackward: Bool) -> WalkOrder {
    WalkOrder(groupColumns: 0, isBackward: isBackward, areTiesBackward: isBackward, isByValue: false)
  }

  /// Whether one direction is all there is to it.
  var isPlain: Bool { isBackward == areTiesBackward }
}

/// A group of which not all counts, since a walk begins or ends in it.
struct WalkBound {
  let group: [UInt8]
  let rest: ByteRange

  init(group: [UInt8], rest: ByteRange) {
    self.group = group
    self.rest = rest
  }

  /// The rest of an entry's group behind the entry.
  init(after entry: [UInt8], groupCount: Int, isBackward: Bool) {
    group = Array(entry[..<groupCount])
    rest =
      ByteRange(prefix: group).resumed(after: entry, isBackward: isBackward)
      ?? ByteRange(lower: group, upper: group)
  }
}

/// Entries whose values or keys are long: those of the same beginning may have been cut, and are then in the order
/// of a hash.
struct LongEntries {
  /// The bytes that all of them begin with.
  let prefix: [UInt8]
  /// Whether it is the objects' keys that are long, not the values.
  let isOfKeys: Bool

  /// The number of bytes of a long key that are in its entry, before a hash.
  static let keyCount = CompositeKey.secondLimit - 8

  /// Nil for a whole entry without a cut neighbour of the same beginning.
  ///
  /// - Parameters:
  ///   - tree: the tree of the entry.
  ///   - isByValue: whether the order of the values matters.
  ///   - range: the range that the entry is in.
  @inline(__always)
  init?(_ entry: UnsafeRawBufferPointer, of tree: PlannedTree, isByValue: Bool, in range: ByteRange) {
    guard entry.count > PlannedTree.wholeCount else { return nil }
    self.init(long: entry, of: tree, isByValue, range)
  }

  @inline(never)
  private init?(
    long entry: UnsafeRawBufferPointer,
    of tree: PlannedTree,
    _ isByValue: Bool,
    _ range: ByteRange
  ) {
    var count = 0
    if tree.isBacklinks {
      // Ranges of backlinks are single targets.
      count = range.lower.count
    } else {
      let start = UnsafeRawBufferPointer(rebasing: entry[..<PlannedTree.wholeCount])
      var decoder = KeyDecoder(start)
      var isWhole = true
      for _ in tree.columns.indices where isWhole {
        do { try decoder.skip() } catch { isWhole = false }
      }
      guard isWhole else {
        if !isByValue || !tree.mayBeCut { return nil }
        prefix = [UInt8](start)
        isOfKeys = false
        return
      }
      count = start.count - decoder.remaining.count
    }
    guard entry.count - count >= Self.keyCount else { return nil }
    prefix = [UInt8](entry[..<(count + Self.keyCount)])
    isOfKeys = true
  }
}
