import LMDB

/// The order in which the entries of an index are delivered.
struct WalkOrder: Equatable {
  /// The number of the tree's columns that define a group of entries with equal values.
  var groupColumns: Int
  /// Whether groups are in descending order.
  var isBackward: Bool
  /// Whether the entries of a group are in descending order.
  var areTiesBackward: Bool
  /// Whether groups must be in the order of their values. If there is only one group or the order is
  /// arbitrary, shortened entries do not matter, although they are not ordered.
  var isByValue: Bool
  /// Whether nil in the first column of the order is above all values. In entries nil is below all values, so
  /// its range comes last, out of byte order.
  var nilsAreGreatest = false

  /// Returns the order of the objects' keys.
  static func keys(isBackward: Bool) -> WalkOrder {
    WalkOrder(groupColumns: 0, isBackward: isBackward, areTiesBackward: isBackward, isByValue: false)
  }

  /// Whether groups and ties have the same direction.
  var isPlain: Bool { isBackward == areTiesBackward }
}

/// A group that belongs only in part to a walk, because the walk begins or ends in the group.
struct WalkBound {
  let group: [UInt8]
  let rest: ByteRange

  init(group: [UInt8], rest: ByteRange) {
    self.group = group
    self.rest = rest
  }

  /// Creates the bound for the rest of an entry's group after the entry.
  init(after entry: [UInt8], groupCount: Int, isBackward: Bool) {
    group = Array(entry[..<groupCount])
    rest =
      ByteRange(prefix: group).resumed(after: entry, isBackward: isBackward)
      ?? ByteRange(lower: group, upper: group)
  }
}

/// Entries with long values or keys. Entries with the same prefix may have been shortened, and are then
/// ordered by a hash.
struct LongEntries {
  /// The common prefix of the entries.
  let prefix: [UInt8]
  /// Whether the objects' keys are long, rather than the values.
  let isOfKeys: Bool

  /// The number of bytes of a long key that precede the hash in its entry.
  static let keyCount = CompositeKey.secondLimit - 8

  /// Returns `nil` if the entry is whole and no shortened entry has the same prefix.
  ///
  /// - Parameters:
  ///   - tree: the tree of the entry.
  ///   - isByValue: whether the order of the values matters.
  ///   - range: the range that contains the entry.
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
      // Each range of backlinks has a single target.
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
