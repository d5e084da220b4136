import Fief

/// The sorted entries of an import, one segment after the other.
struct ImportedEntries: EntrySource {
  private let stream: EntryStream
  /// The beginning of the keys of the present segment: its anchors, and the byte before a place.
  private var prefix: [UInt8] = []
  /// The key of the last member, to find a second one of the same name.
  private var lastMember: [UInt8] = []
  /// The key of the entry that was read last.
  private var key: [UInt8] = []
  private var hasEntry = false
  private(set) var place: ArraySlice<UInt8>?
  private(set) var content = NewEntries.Content.segment

  /// - Throws: the errors of ``advance()``.
  init(_ stream: EntryStream) throws {
    self.stream = stream
    try read()
  }

  /// Goes on with the next segment.
  ///
  /// - Returns: the places of the segment's anchors; `nil` after the last segment.
  mutating func nextSegment() -> [[UInt8]]? {
    guard hasEntry, let end = key.firstIndex(of: ImportItem.placeStart) else { return nil }
    prefix = Array(key[...end])
    place = key[(end + 1)...]
    return prefix.dropLast().split(separator: ImportItem.anchorEnd).map { Array($0) }
  }

  /// - Throws: `FiefError` of code `malformedJSON` if an object has two members of one name; errors of the
  ///   temporary file.
  mutating func advance() throws {
    try read()
    let isOfSegment = hasEntry && key.withUnsafeBytes { $0.hasPrefix(prefix) }
    place = isOfSegment ? key[prefix.count...] : nil
  }

  private mutating func read() throws {
    while let isEntry = try stream.next({ try read($0, $1) }) {
      if isEntry {
        hasEntry = true
        return
      }
    }
    hasEntry = false
  }

  /// - Returns: whether the item is an entry that differs from the last one.
  private mutating func read(_ bytes: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
  {
    guard let item = ImportItem(value) else {
      throw FiefError(.inputOutput, "Something else changed the temporary file of an import.")
    }
    if item.isMember {
      if lastMember.withUnsafeBytes({ $0.hasSameBytes(as: bytes) }) { throw item.duplicate }
      lastMember.removeAll(keepingCapacity: true)
      lastMember.append(contentsOf: bytes)
    }
    guard item.isEntry else { return false }
    if item.kind == .anchor {
      // Several values below an anchor add it.
      if hasEntry, case .segment = content, key.withUnsafeBytes({ $0.hasSameBytes(as: bytes) }) {
        return false
      }
      content = .segment
    } else {
      content = .payload([UInt8](item.payload))
    }
    key.removeAll(keepingCapacity: true)
    key.append(contentsOf: bytes)
    return true
  }
}
