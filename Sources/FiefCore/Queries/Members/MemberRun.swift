import LMDB

/// A run of elements of a collection of links, in the order of the walk.
struct MemberRun {
  /// One element.
  struct Entry {
    /// The element's position in the collection, from 0.
    var place: Int
    /// The range of the object's key in the bytes, or `nil` if the element is nil.
    var key: Range<Int>?
    /// The range of the bytes that identify the element in the collection: the element itself in a set, the
    /// key in a map.
    var name: Range<Int>
    /// The offset of the element's end.
    var end: Int
  }

  /// The maximum number of elements that are read from a payload at once.
  static let most = 256

  let bytes: UnsafeRawBufferPointer
  let entries: [Entry]

  /// Returns the key of an entry's object.
  @inline(__always)
  func key(_ entry: Entry) -> UnsafeRawBufferPointer? {
    entry.key.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
  }

  func name(_ entry: Entry) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[entry.name]) }

  /// Reads consecutive elements.
  ///
  /// - Parameters:
  ///   - offset: the offset of the first element in the bytes.
  ///   - place: the position of the first element.
  ///   - count: the number of elements.
  static func entries(
    _ bytes: UnsafeRawBufferPointer,
    from offset: Int,
    place: Int,
    count: Int,
    type: ColumnType
  ) throws -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(min(count, bytes.count))
    var reader = ValueReader(UnsafeRawBufferPointer(rebasing: bytes[offset...]), context: nil)
    let total = bytes.count
    for index in 0..<count {
      var name = 0..<0
      if type.container == .map {
        let key = try reader.sized()
        let end = total - reader.rest.count
        name = (end - key.count)..<end
      }
      let element = try CollectionPayload.readElement(of: type, from: &reader)
      let end = total - reader.rest.count
      let start = end - element.count
      if type.container != .map { name = start..<end }
      let isNil = type.isOptional && element.first == 0
      if type.isOptional, element.isEmpty { throw ValueReader.truncated }
      entries.append(
        Entry(
          place: place + index,
          key: isNil ? nil : (type.isOptional ? start + 1 : start)..<end,
          name: name,
          end: end
        )
      )
    }
    return entries
  }
}

/// The position of an interrupted walk through a collection: the last element that was delivered.
struct MemberPosition: Sendable {
  var place: Int
  /// Whether `place` is exact in the snapshot that was read. A walk that resumes in another snapshot counts
  /// on from its previous position.
  var isExact: Bool
  /// The key of the element's object, and the element's identity in the collection.
  var key: [UInt8]
  var name: [UInt8]
  /// The offset of the element's end in a payload.
  var end: Int
  /// The number of the commit whose snapshot was read.
  var snapshot: UInt64
  /// The keys that the indexes allow, or `nil` if there is no filter or there are too many keys.
  var keys: KeyList?
}
