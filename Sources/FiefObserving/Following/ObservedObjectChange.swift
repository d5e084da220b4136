import FiefCore

/// A change of an observed object since the last report.
package enum ObservedObjectChange: Sendable, Equatable {
  /// Columns of interest, or the values that they lead to, have changed. The records are the last reported
  /// one and the current one.
  case changed(columns: ColumnSet, old: [UInt8], new: [UInt8])
  /// The object was deleted. This is the last change.
  case deleted
}
