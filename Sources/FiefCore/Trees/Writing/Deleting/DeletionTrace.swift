/// The effects of a deletion on objects that are live in a write scope, and the keys of deleted objects to
/// which embedded objects may link.
final class DeletionTrace {
  /// The keys of a type's deleted objects, up to a maximum number, so that the memory of a deletion does not
  /// depend on the number of objects.
  struct Keys {
    private static let most = 10_000
    private(set) var all: Set<[UInt8]> = []
    /// Whether `all` contains every deleted object of the type.
    private(set) var areAll = true

    fileprivate mutating func insert(_ key: UnsafeRawBufferPointer) {
      if all.count < Self.most { all.insert([UInt8](key)) } else { areAll = false }
    }
  }

  typealias RecordHandler = (
    RecordWriter, Table, _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer
  ) -> Void

  /// Called before the record of a live object is deleted.
  private let willDelete: RecordHandler
  /// Whether an object is live in the write scope.
  let isLive: (Table, UnsafeRawBufferPointer) -> Bool
  /// The links of live objects that were cleared.
  var clearedLinks: [RecordWriter.Link] = []
  /// The links of live objects whose targets no longer exist.
  var danglingLinks: [RecordWriter.Link] = []
  /// The live objects that were deleted.
  private(set) var deleted: [(table: Table, key: [UInt8])] = []
  /// The keys of deleted objects, live or not, for the types to which embedded objects link.
  private(set) var keysLinkedByParts: [String: Keys] = [:]
  private let linkedByParts: Set<String>

  /// - Parameter linkedByParts: The types to which embedded objects link.
  init(
    linkedByParts: Set<String> = [],
    isLive: @escaping (Table, UnsafeRawBufferPointer) -> Bool,
    willDelete: @escaping RecordHandler
  ) {
    self.willDelete = willDelete
    self.linkedByParts = linkedByParts
    self.isLive = isLive
  }

  /// Called before a record with collections is deleted. The record may be in a page, so the function must
  /// not write to the store.
  func willDelete(
    _ record: UnsafeRawBufferPointer,
    key: UnsafeRawBufferPointer,
    in table: Table,
    _ writer: RecordWriter
  ) {
    if isLive(table, key) { willDelete(writer, table, key, record) }
  }

  func noteDeletion(of key: UnsafeRawBufferPointer, _ table: Table) {
    if isLive(table, key) { deleted.append((table, [UInt8](key))) }
    if !linkedByParts.isEmpty, linkedByParts.contains(table.name) {
      keysLinkedByParts[table.name, default: Keys()].insert(key)
    }
  }
}
