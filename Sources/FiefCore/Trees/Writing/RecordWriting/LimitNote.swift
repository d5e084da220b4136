/// An object that may have too few or too many objects at the other end of a relationship.
///
/// It is checked at the end of the write, because the write may pass through invalid states.
struct LimitNote: Hashable {
  /// The index of the object's table.
  let table: UInt16
  /// The index of the relationship among the table's limits.
  let limit: UInt16
  let key: [UInt8]

  init(_ table: Int, _ limit: Int, _ key: UnsafeRawBufferPointer) {
    self.table = UInt16(truncatingIfNeeded: table)
    self.limit = UInt16(truncatingIfNeeded: limit)
    self.key = [UInt8](key)
  }
}
