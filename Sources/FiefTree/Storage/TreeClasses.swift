import Fief
import Foundation

/// One leaf of a tree, or an anchor: the beginning of a segment. Inner nodes have no object.
///
/// Only `FiefTree` writes these objects. Their names and values are described in the format of stores.
final class JSONTreeNode: Object {
  /// The number of the segment; 0 for the root's.
  @Persisted(primaryKey: true) var segment = 0
  /// The components of the names inside the segment.
  @Persisted(primaryKey: true) var place = ""
  /// The value of the leaf, or 8 bytes of data with the number of the anchor's segment.
  @Persisted var value: AnyRealmValue

  /// A repository without a list of classes has no tree.
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A record about the whole tree. Slot 0 has the version of the layout.
final class JSONTreeChange: Object {
  @Persisted(primaryKey: true) var slot = 0
  @Persisted var contents = Data()

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The definition of an index.
final class JSONTreeIndex: Object {
  @Persisted(primaryKey: true) var id = 0
  /// The pattern of the places whose children are ordered; `nil` for a group.
  @Persisted var pattern: String?
  /// The name of the nodes whose children are ordered; `nil` for a pattern.
  @Persisted var group: String?
  /// The names from a child to the value that orders it, joined by slashes, or `.value`.
  @Persisted var order = ""
  /// 0 while the index is built, 1 when it is complete.
  @Persisted var state = 0
  /// The path of the last place that the build has visited.
  @Persisted var position = ""

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The number of a place whose children an index orders. The children of a group have the number
/// of the root.
final class JSONTreeIndexPlace: Object {
  @Persisted(primaryKey: true) var index = 0
  @Persisted(primaryKey: true) var segment = 0
  @Persisted(primaryKey: true) var place = ""
  @Persisted var number = 0

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The position of a child in an index: its value, then its name, or its path in a group.
final class JSONTreeIndexEntry: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted(primaryKey: true) var text = ""
  /// The whole position if the text is cut.
  @Persisted var whole: Data?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The types and the version of a tree's entries.
enum TreeLayout {
  /// The names of the types. Asking the classes for them would take longer than the rest of a look-up.
  static let nodeType = "JSONTreeNode"
  static let changeType = "JSONTreeChange"
  static let indexType = "JSONTreeIndex"
  static let indexPlaceType = "JSONTreeIndexPlace"
  static let indexEntryType = "JSONTreeIndexEntry"
  /// The version that this library writes. It reads no higher version.
  static let current: UInt64 = 1
  /// The slot of ``JSONTreeChange`` with the version.
  static let slot = 0
}
