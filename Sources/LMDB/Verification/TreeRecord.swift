/// The location and size of a tree as LMDB records them: `MDB_db`, 48 bytes in a meta page or in an entry of
/// the main tree.
struct TreeRecord {
  static let size = 48
  static let invalidPage = UInt64.max

  var pad: UInt32
  var flags: UInt16
  var depth: UInt16
  var branchPages: UInt64
  var leafPages: UInt64
  var overflowPages: UInt64
  var entries: UInt64
  var root: UInt64

  /// Reads a record. `bytes` must have at least 48 bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    pad = bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
    flags = bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
    depth = bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self)
    branchPages = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    leafPages = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    overflowPages = bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    entries = bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
    root = bytes.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
  }

  /// Returns a flaw of the record that is visible without its pages, or `nil` if the record is valid.
  func flaw(lastPage: UInt64) -> String? {
    if root == TreeRecord.invalidPage {
      let isEmpty = depth == 0 && entries == 0 && branchPages == 0 && leafPages == 0 && overflowPages == 0
      return isEmpty ? nil : "an empty tree has contents"
    }
    if root < 2 || root > lastPage { return "a root page is out of range" }
    // LMDB's cursors support at most 32 levels.
    if depth == 0 || depth > 32 { return "a tree has an impossible depth" }
    if leafPages == 0 || leafPages > lastPage || branchPages > lastPage || overflowPages > lastPage {
      return "a tree has impossible page counts"
    }
    return nil
  }
}
