import LMDB

/// In which order the entries of an index are handed out.
struct WalkOrder: Equatable {
  /// How many of the tree's columns make a group: entries of equal ones.
  var groupColumns: Int
  /// Whether groups go from the greatest to the least.
  var isBackward: Bool
  /// Whether the entries of a group go backward.
  var areTiesBackward: Bool
  /// Whether groups have to be in the order of the values. Where there is only one, or the order is free, it does
  /// not matter that what is cut has none.
  var isByValue: Bool

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

  /// What is left of an entry's group behind the entry.
  init(after entry: [UInt8], groupCount: Int, isBackward: Bool) {
    group = Array(entry[..<groupCount])
    rest =
      ByteRange(prefix: group).resumed(after: entry, isBackward: isBackward)
      ?? ByteRange(lower: group, upper: group)
  }
}

/// Entries whose value was cut: those of the same beginning are in the order of a hash.
struct CutEntries {
  /// What all of them begin with, the mark of a cut included.
  let prefix: [UInt8]

  /// Nil for an entry that was not cut.
  ///
  /// - Parameter column: the first of the columns, whose values may be cut.
  @inline(__always)
  init?(_ entry: UnsafeRawBufferPointer, of tree: PlannedTree) {
    guard entry.count >= CompositeKey.firstLimit - 1 else { return nil }
    self.init(long: entry, of: tree)
  }

  @inline(never)
  private init?(long entry: UnsafeRawBufferPointer, of tree: PlannedTree) {
    var decoder = KeyDecoder(entry)
    do { try decoder.skip() } catch { return nil }
    let count = entry.count - decoder.remaining.count
    let element = UnsafeRawBufferPointer(rebasing: entry[..<count])
    guard tree.columns.count == 1, TruncatedKey.isTruncated(element, limit: CompositeKey.firstLimit) else {
      return nil
    }
    let kept = TruncatedKey.prefixCount(ofTruncated: [UInt8](element))
    // The byte behind the prefix is the mark.
    prefix = Array(entry[...kept])
  }
}
