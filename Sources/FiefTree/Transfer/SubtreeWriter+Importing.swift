import Fief
import LMDB

extension SubtreeWriter {
  /// The number of changed pages that stay in memory in an import.
  static let mostPages = 4096
  /// The size of changes, in bytes, after which their pages are written.
  private static let bytesAtOnce = 8 << 20
  /// The number of changes above which the write collects no keys for observers.
  private static let mostCollected = 65_536
  /// The number of segments that may wait for the removal of their entries.
  private static let mostParts = 1024

  /// Replaces the value of a place by the entries of an import, in bounded memory.
  ///
  /// - Returns: whether something was different.
  /// - Throws: `FiefError`; the transaction must then not be committed.
  mutating func set(_ entries: EntryStream, at place: TreePlace, _ path: TreePath) throws -> Bool {
    self.path = path
    hasChanged = false
    indexes?.isBounded = true
    try replace(with: entries, at: place)
    try indexes?.didChange(at: path)
    return hasChanged
  }

  private mutating func replace(with entries: EntryStream, at place: TreePlace) throws {
    var entries = try ImportedEntries(entries)
    guard entries.nextSegment() != nil else { return try remove(place) }
    let bound = Bound()
    let segment = try makeSegments(of: place)
    try merge(&entries, into: segment, below: place.last) { try bound.apply(to: &$0) }
    while let anchors = entries.nextSegment() {
      // The anchors of the segment are among the changes. There may be as many segments as entries.
      try apply()
      try bound.apply(to: &self)
      guard let segment = try nodes.segment(at: anchors) else {
        throw nodes.damaged("An anchor of a tree is missing.")
      }
      try merge(&entries, into: segment, below: []) { try bound.apply(to: &$0) }
    }
    try bound.removeParts(of: &self)
    try apply()
  }

  /// Keeps the memory of an import bounded.
  private final class Bound {
    private var written = 0
    private var isCollecting = true

    /// Called after some changes were written to the trees.
    func apply(to writer: inout SubtreeWriter) throws {
      let isMuch = writer.appliedBytes - written >= SubtreeWriter.bytesAtOnce
      if isMuch { written = writer.appliedBytes }
      try writer.writer.transaction.writePages(beyond: isMuch ? 0 : SubtreeWriter.mostPages)
      if isCollecting, writer.applied >= SubtreeWriter.mostCollected {
        isCollecting = false
        writer.writer.stopCollecting()
      }
      if writer.parts.count > SubtreeWriter.mostParts { try removeParts(of: &writer) }
    }

    /// Removes the entries of segments whose anchors are gone.
    func removeParts(of writer: inout SubtreeWriter) throws {
      while let part = writer.parts.popLast() {
        var entries = part.entries
        try writer.merge(&entries, into: part.segment, below: part.base) { try apply(to: &$0) }
      }
    }
  }
}
