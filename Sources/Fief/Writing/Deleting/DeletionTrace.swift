/// The effects of a deletion on objects that are live in a write scope.
final class DeletionTrace {
  /// Whether a scope has an object.
  let isLive: (Table, UnsafeRawBufferPointer) -> Bool
  /// The links of live objects that were cleared.
  var clearedLinks: [RecordWriter.Link] = []
  /// The links of live objects that lead to nothing now.
  var danglingLinks: [RecordWriter.Link] = []
  /// The live objects that were deleted.
  var deleted: [(table: Table, key: [UInt8])] = []

  init(isLive: @escaping (Table, UnsafeRawBufferPointer) -> Bool) { self.isLive = isLive }
}
