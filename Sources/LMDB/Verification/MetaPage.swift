/// One of the two meta pages, which contains the roots of all trees at one commit.
struct MetaPage {
  static let magic: UInt32 = 0xBEEF_C0DE
  static let formatVersion: UInt32 = 1
  /// The number of bytes of the page header and the meta data after it.
  static let size = 152
  static let pageSizes: ClosedRange<UInt32> = 512...65536

  var pageSize: Int
  var mapSize: UInt64
  var free: TreeRecord
  var main: TreeRecord
  var lastPage: UInt64
  var transaction: UInt64

  /// Reads a meta page, and checks it independently of the other one.
  ///
  /// LMDB divides by the page size and follows the roots without checks, so all fields must be valid.
  init(_ bytes: UnsafeRawBufferPointer, index: UInt64, path: String) throws(LMDBError) {
    guard bytes.count >= MetaPage.size else { throw LMDBError(.truncated, path: path) }
    try MetaPage.checkFormat(bytes, path: path)
    func damaged(_ detail: String) -> LMDBError {
      LMDBError(.damaged, path: path, detail: "meta page \(index): \(detail)")
    }
    free = TreeRecord(UnsafeRawBufferPointer(rebasing: bytes[40..<88]))
    main = TreeRecord(UnsafeRawBufferPointer(rebasing: bytes[88..<136]))
    mapSize = bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
    lastPage = bytes.loadUnaligned(fromByteOffset: 136, as: UInt64.self)
    transaction = bytes.loadUnaligned(fromByteOffset: 144, as: UInt64.self)
    pageSize = Int(free.pad)
    guard bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self) == index else {
      throw damaged("wrong page number")
    }
    guard bytes.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == PageFlags.meta else {
      throw damaged("wrong page flags")
    }
    guard MetaPage.pageSizes.contains(free.pad), free.pad & (free.pad - 1) == 0 else {
      throw damaged("impossible page size")
    }
    guard bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self) == 0 else {
      throw damaged("an address for the map")
    }
    guard free.flags == PageFlags.integerKey else { throw damaged("wrong flags of the free list") }
    guard main.pad == 0 else { throw damaged("wrong padding") }
    guard main.flags == 0 else {
      throw LMDBError(.incompatible, "The main database has flags.", path: path)
    }
    guard lastPage >= 1, lastPage < 1 << 48 else { throw damaged("impossible last page") }
    guard mapSize < 1 << 57, (lastPage + 1) * UInt64(pageSize) <= mapSize else {
      throw damaged("impossible map size")
    }
    // No store lives that long, and arithmetic on larger numbers could overflow a signed integer.
    guard transaction < 1 << 62 else { throw damaged("impossible commit number") }
    // LMDB writes commit n to page n modulo 2. Only the first state of a store has 0 in both.
    guard transaction == 0 || transaction & 1 == index else { throw damaged("wrong commit number") }
  }

  /// Checks the locations of the trees. They must be valid only in the newer page: if the write of a meta
  /// page fails, LMDB restores the old commit number and leaves the new trees.
  func checkTrees(path: String) throws(LMDBError) {
    guard let flaw = free.flaw(lastPage: lastPage) ?? main.flaw(lastPage: lastPage) else { return }
    throw LMDBError(.damaged, path: path, detail: "meta page of commit \(transaction): \(flaw)")
  }

  /// Distinguishes a foreign file from a store with another version, word size or byte order.
  private static func checkFormat(_ bytes: UnsafeRawBufferPointer, path: String) throws(LMDBError) {
    let found = bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
    guard found == magic else {
      // With 32-bit words, the page header has 12 bytes.
      let narrow = bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
      if found == magic.byteSwapped || narrow == magic || narrow == magic.byteSwapped {
        throw LMDBError(
          .incompatible,
          "The store was written by a machine with a different word size or byte order.",
          path: path
        )
      }
      throw LMDBError(.notAStore, path: path)
    }
    let version = bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self)
    guard version == formatVersion else {
      throw LMDBError(.versionMismatch, path: path, detail: "version \(version)")
    }
  }
}

/// The bits of page, node and tree flags that can occur in a store.
enum PageFlags {
  static let branch: UInt16 = 0x01
  static let leaf: UInt16 = 0x02
  static let overflow: UInt16 = 0x04
  static let meta: UInt16 = 0x08

  static let bigData: UInt16 = 0x01
  static let subtree: UInt16 = 0x02

  static let integerKey: UInt16 = 0x08
  static let treeFlags: UInt16 = 0x7E
}
