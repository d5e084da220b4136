import CLMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Transaction {
  /// Returns the seal of a tree in this snapshot, or `nil` if its pages cannot be opened as a whole.
  final func seal(of tree: SealedTree, _ handle: OpaquePointer) -> MappedSeal? {
    let commit = snapshot &- 1
    guard let pages = openedPages ?? environment.useOpenedPages(at: commit) else { return nil }
    openedPages = pages
    if !pages.notes.knows(commit) { pages.notes.follow(handle) { environment.isFreeListSound } }
    let stamp = pages.notes.stamp(of: commit)
    guard stamp > 0 else { return nil }
    return MappedSeal(
      tree: Unmanaged.passUnretained(tree),
      pages: Unmanaged.passUnretained(pages),
      region: pages.region,
      values: Unmanaged.passUnretained(valuesOpenedOneByOne),
      stamp: stamp,
      mark: tree.mark
    )
  }

  /// Begins the use of the opened pages again after ``Environment/endRead(_:)``, or forgets them.
  @inline(never)
  final func useOpenedPagesAgain() {
    if let pages = openedPages, !pages.isFull, environment.covers(pages), pages.use() { return }
    openedPages = nil
    forgetTrees()
  }

  /// Returns the sealed tree of a database, or `nil` if it has no sealed values.
  @inline(__always)
  final func sealedTree(_ database: Database) throws(LMDBError) -> SealedTree? {
    guard environment.isSealed.load(ordering: .acquiring) else { return nil }
    return try findSealedTree(database)
  }

  @inline(never)
  private final func findSealedTree(_ database: Database) throws(LMDBError) -> SealedTree? {
    try environment.sealedTree(database) {
      if let writer = self as? WritableTransaction { return writer.name(of: database) }
      return environment.databases.name(of: database)
    }
  }

  /// Returns a value that LMDB has found, in clear.
  ///
  /// - Throws: `damaged` if the value does not open.
  @inline(__always)
  final func inClear(
    _ value: UnsafeRawBufferPointer,
    of key: UnsafeRawBufferPointer,
    _ database: Database
  ) throws(LMDBError) -> UnsafeRawBufferPointer {
    guard environment.isSealed.load(ordering: .acquiring) else { return value }
    return try opened(value, of: key, database)
  }

  @inline(never)
  private final func opened(
    _ value: UnsafeRawBufferPointer,
    of key: UnsafeRawBufferPointer,
    _ database: Database
  ) throws(LMDBError) -> UnsafeRawBufferPointer {
    guard let tree = try sealedTree(database), tree.isSealed(key) else { return value }
    if let writer = self as? WritableTransaction, let known = writer.openedInPage(value, of: key, tree) {
      return known
    }
    let values = valuesOpenedOneByOne
    if let known = values.value(of: value, of: key, in: tree) { return known }
    guard let opened = values.open(value, of: key, in: tree) else {
      // The scope of a read throws it too.
      if damagedPage == 0 { damagedPage = 1 }
      throw LMDBError(.damaged, path: environment.directory, detail: "a sealed value cannot be decrypted")
    }
    return opened
  }

  private final var valuesOpenedOneByOne: DecryptedValues {
    if let writer = self as? WritableTransaction {
      if let known = writer.session.openedValues { return known }
      let made = DecryptedValues()
      writer.session.openedValues = made
      return made
    }
    if let openedValues { return openedValues }
    let made = DecryptedValues()
    openedValues = made
    return made
  }
}

extension Transaction {
  /// The sealing of the environment's values, or `nil` if they are not sealed.
  package final var sealing: (any ValueSealing)? { environment.sealing }
}

extension WritableTransaction {
  /// Returns the value of a key in the form in which the file contains it; see ``put(asInFile:_:_:)``.
  func valueInFile(
    _ database: Database,
    _ key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    let handle = try writable()
    let dbi = try handleOf(database)
    try willUse(database, key)
    var place = try Transaction.value(key: key)
    var value = MDB_val()
    let code = mdb_get(handle, dbi, &place, &value)
    if code == MDB_NOTFOUND { return nil }
    guard code == MDB_SUCCESS else { throw failure(code) }
    return UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
  }

  /// Stores a value that is already sealed if its tree is, such as the value of a ``RecordedChange``.
  package func put(
    asInFile database: Database,
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer
  ) throws(LMDBError) {
    let handle = try writable()
    let dbi = try handleOf(database)
    let code = try store(handle, dbi, database, key, value, 0)
    guard code == MDB_SUCCESS else { throw failure(code) }
  }

  /// Returns a value in a page of the last commit that a read has opened, or `nil` if the value must be
  /// opened individually.
  ///
  /// A write opens no page, because LMDB may keep pages of the write itself in the map and change them again.
  func openedInPage(
    _ value: UnsafeRawBufferPointer,
    of key: UnsafeRawBufferPointer,
    _ tree: SealedTree
  ) -> UnsafeRawBufferPointer? {
    if !session.usesOpenedPages { useOpenedPages() }
    guard let pages = session.openedPages, let start = value.baseAddress else { return nil }
    guard let map = UnsafeRawPointer(bitPattern: environment.mapBase.load(ordering: .relaxed)), start >= map
    else {
      return nil
    }
    let (number, place) = (start - map).quotientAndRemainder(dividingBy: pages.notes.pageSize)
    let count = value.count - tree.overhead
    guard pages.hasRoom(start - map, count: count) else { return nil }
    let stamp = pages.notes.stamp(of: id &- 1)
    let opened = pages.region + (start - map)
    // Only a long value begins right after the head of a page. Other values follow the head of their node and
    // the key.
    let isLong = place == Page.headerSize
    let mark = isLong ? tree.mark(of: key, count: count) : tree.mark
    guard pages.contains(UInt64(number), at: stamp, as: mark) else { return nil }
    if !isLong {
      let length = Page.nodeHeaderSize + key.count
      guard let wanted = key.baseAddress, place >= Page.headerSize + length else { return nil }
      // SAFETY: the head and the key are in the page, before the value.
      let node = opened - length
      let head = UInt64(count) | UInt64(key.count) << 48
      guard node.loadUnaligned(as: UInt64.self) == head,
        memcmp(node + Page.nodeHeaderSize, wanted, key.count) == 0
      else { return nil }
    }
    return UnsafeRawBufferPointer(start: opened, count: count)
  }

  private func useOpenedPages() {
    session.usesOpenedPages = true
    guard let pages = environment.knownOpenedPages,
      environment.mapBase.load(ordering: .relaxed) > Environment.unusable,
      pages.use()
    else { return }
    if !pages.notes.knows(id &- 1) { environment.noteFreedPages() }
    guard pages.notes.knows(id &- 1), pages.notes.stamp(of: id &- 1) > 0 else { return pages.endUse() }
    session.openedPages = pages
  }
}
