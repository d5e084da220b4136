import FiefCore

/// The change of an observed object since the last report.
package enum ObservedObjectChange: Sendable, Equatable {
  /// Columns of it have changed, or the values that they lead to; no other column is of interest. The records
  /// are those of the state that was reported last and of the one at hand.
  case changed(columns: ColumnSet, old: [UInt8], new: [UInt8])
  /// The object was deleted; nothing follows.
  case deleted
}
