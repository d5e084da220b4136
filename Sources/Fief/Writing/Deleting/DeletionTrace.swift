/// The effects of a deletion on objects that are live in a write scope, and what embedded objects may link of the others.
final class DeletionTrace {
  /// Whether a scope has an object.
  let isLive: (Table, UnsafeRawBufferPointer) -> Bool
  /// The links of live objects that were cleared.
  var clearedLinks: [RecordWriter.Link] = []
  /// The links of live objects that lead to nothing now.
  var danglingLinks: [RecordWriter.Link] = []
  /// The live objects that were deleted.
  private(set) var deleted: [(table: Table, key: [UInt8])] = []
  /// The types of others, among those that embedded objects link.
  private(set) var typesDeletedElsewhere: Set<String> = []
  private let linkedByParts: Set<String>

  /// - Parameter linkedByParts: the types whose deletions are noted where the objects are not live.
  init(linkedByParts: Set<String> = [], isLive: @escaping (Table, UnsafeRawBufferPointer) -> Bool) {
    self.linkedByParts = linkedByParts
    self.isLive = isLive
  }

  func noteDeletion(of key: UnsafeRawBufferPointer, _ table: Table) {
    if isLive(table, key) {
      deleted.append((table, [UInt8](key)))
    } else if !linkedByParts.isEmpty, linkedByParts.contains(table.name) {
      typesDeletedElsewhere.insert(table.name)
    }
  }
}
