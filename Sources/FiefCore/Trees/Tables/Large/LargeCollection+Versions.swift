/// The version of a large collection. It shows whether a record was read before or after a change of the
/// collection.
extension LargeCollection {
  /// The key of the version entry. It sorts before the keys of all nodes.
  private var versionKey: [UInt8] { prefix + [EntryKind.node] }

  /// Returns the version of the elements; 0 if they were last changed by a build without versions.
  package final func version() throws -> UInt64 {
    guard let value = try get(versionKey) else { return 0 }
    guard value.count == 8 else { throw RecordView.damaged }
    return UInt64(littleEndian: value.loadUnaligned(as: UInt64.self))
  }

  final func setVersion(_ version: UInt64) throws {
    try put(versionKey, withUnsafeBytes(of: version.littleEndian) { [UInt8]($0) })
  }

  /// Returns the marker that the owner's record must contain at present.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` if there is no such collection.
  final func marker() throws -> CollectionMarker {
    CollectionMarker(prefix: prefix, count: try existingCount(), version: try version())
  }

  /// Whether the collection exists and still has the elements that it had when a record with the marker was
  /// read.
  final func isUnchanged(since marker: CollectionMarker) throws -> Bool {
    guard try count() != nil else { return false }
    return try marker.version == 0 || version() == marker.version
  }
}

extension CollectionMarker {
  init(prefix: [UInt8], count: Int, version: UInt64) {
    self.prefix = prefix
    self.count = count
    self.version = version
  }
}

extension FiefError {
  /// Returns the error for reading a collection that was changed or removed after its object was read.
  ///
  /// - Parameter exists: Whether the object still has the collection.
  static func staleCollection(exists: Bool) -> FiefError {
    exists ? FiefError(.conflict, changedCollection) : FiefError(.objectNotFound, removedCollection)
  }

  private static let changedCollection =
    "Another write changed the large collection after its object was read. Read the object again."
  private static let removedCollection =
    "The large collection was removed from the store after its object was read. Read the object again."

  /// Whether the error reports that a large collection was changed or removed after its object was read.
  var isOfStaleCollection: Bool {
    code == .conflict && message == Self.changedCollection
      || code == .objectNotFound && message == Self.removedCollection
  }

  /// The error for saving a collection that an observation has emptied.
  static var emptiedCollection: FiefError {
    FiefError(
      .conflict,
      "An observed collection cannot be saved: its object was deleted, and the handler saw it empty. Assign its elements, or save another copy of the object."
    )
  }

  /// The error for saving an object whose collection was changed or deleted before its elements were read.
  /// The write cannot continue after it.
  static var lostElements: FiefError {
    FiefError(
      .conflict,
      "The elements of a large collection cannot be saved: another write changed or deleted them before they were read."
    )
  }
}
