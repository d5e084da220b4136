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

/// The types and the version of a tree's entries.
enum TreeLayout {
  /// The names of the types. Asking the classes for them would take longer than the rest of a look-up.
  static let nodeType = "JSONTreeNode"
  static let changeType = "JSONTreeChange"
  /// The version that this library writes. It reads no higher version.
  static let current: UInt64 = 1
  /// The slot of ``JSONTreeChange`` with the version.
  static let slot = 0
}
