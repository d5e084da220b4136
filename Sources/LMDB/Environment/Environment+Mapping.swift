import CLMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The address of an environment's memory map.
struct MemoryMap {
  // SAFETY: found by `Environment.memoryMap`; it does not move while a reader is active.
  let base: UnsafeRawPointer
  let pageSize: Int
  /// Pages with this number and greater ones are not in the file or not in the map.
  let pageLimit: UInt64
}

extension Environment {
  /// Marks a map that cannot be read directly.
  static let unusable: UInt = 1

  /// Returns the map as an active reader sees it, or `nil` if pages cannot be read directly.
  ///
  /// - Parameters:
  ///   - transaction: The reader's transaction.
  ///   - value: A value in the main tree that LMDB has just found, and that is thus in a leaf page.
  func memoryMap(
    _ transaction: OpaquePointer,
    value: UnsafeRawPointer
  ) -> MemoryMap? {
    guard let handle else { return nil }
    let known = mapBase.load(ordering: .relaxed)
    guard known != Environment.unusable else { return nil }
    let info = newestCommit(handle)
    var sizes = MDB_stat()
    mdb_env_stat(handle, &sizes)
    let pageSize = Int(sizes.ms_psize)
    // The newest commit's last page is not less than this snapshot's last page, but it may be beyond the map.
    guard pageSize > 0, info.me_last_pgno >= 0 else { return nil }
    // LMDB's size of the map, which does not change while a reader is active.
    let limit = min(UInt64(info.me_last_pgno) &+ 1, UInt64(info.me_mapsize / pageSize))
    if let base = UnsafeRawPointer(bitPattern: known) {
      return MemoryMap(base: base, pageSize: pageSize, pageLimit: limit)
    }
    let found = findBase(value, pageSize: pageSize, mapSize: info.me_mapsize, limit: limit)
    // Readers that determine the address at the same time find the same one.
    mapBase.store(found.map { UInt(bitPattern: $0) } ?? Environment.unusable, ordering: .relaxed)
    return found.map { MemoryMap(base: $0, pageSize: pageSize, pageLimit: limit) }
  }

  /// Forgets the address of the map. No reader may be active.
  func forgetMap() {
    mapBase.store(0, ordering: .relaxed)
    forgetNotes()
    forgetOpenedPages()
    mapEpoch &+= 1
  }

  /// Returns the information of the newest meta page. A writer may be changing it, so it is read until two
  /// reads agree.
  private func newestCommit(_ handle: OpaquePointer) -> MDB_envinfo {
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    for _ in 0..<100 {
      let last = info
      mdb_env_info(handle, &info)
      if info.me_last_pgno == last.me_last_pgno, info.me_last_txnid == last.me_last_txnid { break }
    }
    return info
  }

  /// Computes the start of the map from a page's address and number, and verifies that the map begins there.
  private func findBase(
    _ value: UnsafeRawPointer,
    pageSize: Int,
    mapSize: Int,
    limit: UInt64
  ) -> UnsafeRawPointer? {
    let systemPage = Int(sysconf(Int32(_SC_PAGESIZE)))
    // The map is aligned to the system's pages, so the start of larger pages does not follow from an address.
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0, pageSize <= systemPage else { return nil }
    let address = UInt(bitPattern: value) & ~UInt(pageSize - 1)
    guard let page = UnsafeRawPointer(bitPattern: address) else { return nil }
    // SAFETY: LMDB has just read this page.
    let number = page.loadUnaligned(as: UInt64.self)
    guard number >= 2, number < limit else { return nil }
    let (start, overflow) = address.subtractingReportingOverflow(UInt(number) * UInt(pageSize))
    guard !overflow, start % UInt(systemPage) == 0, let base = UnsafeRawPointer(bitPattern: start),
      isMapped(base, systemPage), isMapped(base + (mapSize - systemPage), systemPage)
    else { return nil }
    // SAFETY: the system has confirmed that these pages are mapped.
    return isMetaPage(base) && isMetaPage(base + pageSize) ? base : nil
  }

  private func isMetaPage(_ page: UnsafeRawPointer) -> Bool {
    page.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == PageFlags.meta
      && page.loadUnaligned(fromByteOffset: 16, as: UInt32.self) == MetaPage.magic
      && page.loadUnaligned(fromByteOffset: 20, as: UInt32.self) == MetaPage.formatVersion
  }

  private func isMapped(_ start: UnsafeRawPointer, _ count: Int) -> Bool {
    // The system writes one byte for each page, and the range has one page.
    #if os(Linux)
      var state: UInt8 = 0
    #else
      var state: CChar = 0
    #endif
    return mincore(UnsafeMutableRawPointer(mutating: start), count, &state) == 0
  }
}

extension Environment {
  /// Returns the tree of a database in a reader's snapshot, or a tree without levels if it cannot be read
  /// directly.
  func tree(named name: String, slot: UInt32, in reader: OpaquePointer) throws(LMDBError) -> MappedTree {
    var tree = MappedTree()
    try read(name, slot: slot, reader, into: &tree)
    return tree
  }

  func read(
    _ name: String,
    slot: UInt32,
    _ reader: OpaquePointer,
    into tree: inout MappedTree
  ) throws(LMDBError) {
    var name = name
    var value = MDB_val()
    let code = name.withUTF8 { bytes -> Int32 in
      var key = MDB_val(
        mv_size: bytes.count,
        mv_data: UnsafeMutableRawPointer(mutating: UnsafeRawPointer(bytes.baseAddress))
      )
      return mdb_get(reader, Transaction.unnamed, &key, &value)
    }
    guard code == MDB_SUCCESS, value.mv_size == TreeRecord.size, let data = value.mv_data,
      let map = memoryMap(reader, value: data)
    else { return }
    // SAFETY: LMDB's own record of the tree, whose size was checked.
    let record = TreeRecord(UnsafeRawBufferPointer(start: data, count: TreeRecord.size))
    guard record.flags == 0 else { return }
    if let flaw = record.flaw(lastPage: map.pageLimit &- 1) {
      throw LMDBError(.damaged, path: directory, detail: flaw)
    }
    tree.isReadable = true
    tree.depth = record.root == TreeRecord.invalidPage ? 0 : Int(record.depth)
    tree.root = record.root
    tree.base = map.base
    tree.pageLimit = map.pageLimit
    tree.pageSize = map.pageSize
    tree.entries = Int(truncatingIfNeeded: record.entries)
    tree.leafPages = Int(truncatingIfNeeded: record.leafPages)
    tree.branchPages = Int(truncatingIfNeeded: record.branchPages)
    guard let checkedPages, !checkedPages.isComplete else { return }
    tree.checkedLimit = checkedPages.limit
    tree.parents = checkedPages.parents
    // No page has such a number. Only the lower half of the number counts.
    tree.rootMark = UInt64(UInt32.max - slot)
  }
}
