import CLMDB

/// A batch of lookups. It prefetches the memory for all keys before it waits for any of it.
///
/// Loading an uncached record takes as long as all other parts of a lookup. The processor can load several
/// records in parallel only if it knows their addresses in advance. In a write, whose pages belong to LMDB,
/// each key is looked up separately.
@usableFromInline package struct LookUpBatch: ~Copyable {
  /// The maximum number of keys in a batch.
  @usableFromInline package static let capacity = 32

  // SAFETY: `items` has room for `capacity` items, and its first `count` are initialised. The caller keeps
  // the keys alive from `append` to `value`. Pages belong to the snapshot, and each was checked as in
  // `MappedTree.find`.
  struct Item {
    let key: UnsafeRawBufferPointer
    let place: Int
    /// The search key, or `nil` if no leaf was found in advance, so that `value` has to search from the root.
    var wanted: SearchKey?
    var bounds = KeyBounds()
    var number: UInt64 = 0
    var parent: UInt64 = 0
    var leaf: MappedPage?
    var guess = -1
  }

  private let items: UnsafeMutablePointer<Item>
  private let transaction: Transaction
  /// The number of keys.
  @usableFromInline package private(set) var count = 0

  /// Creates an empty batch.
  ///
  /// - Parameter transaction: The transaction of the lookups.
  @usableFromInline package init(in transaction: Transaction) {
    self.transaction = transaction
    // Batches are usually used one after another, and allocating this memory takes as long as several
    // lookups.
    items = transaction.spareItems ?? .allocate(capacity: LookUpBatch.capacity)
    transaction.spareItems = nil
  }

  deinit {
    transaction.spareItems?.deallocate()
    transaction.spareItems = items
  }

  /// Whether the batch is full.
  @usableFromInline package var isFull: Bool { count == LookUpBatch.capacity }

  /// Removes all keys.
  @usableFromInline package mutating func removeAll() { count = 0 }

  /// Appends a key if the batch is not full.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - place: The caller's number for the key.
  @usableFromInline package mutating func append(_ key: UnsafeRawBufferPointer, at place: Int = 0) {
    guard !isFull else { return }
    (items + count).initialize(to: Item(key: key, place: place))
    count &+= 1
  }

  /// Returns one of the keys.
  ///
  /// - Precondition: `index` is in `0..<count`.
  @usableFromInline package func key(_ index: Int) -> UnsafeRawBufferPointer { items[index].key }

  /// Returns the caller's number for one of the keys.
  ///
  /// - Precondition: `index` is in `0..<count`.
  @usableFromInline package func place(_ index: Int) -> Int { items[index].place }

  /// Prefetches the memory for the lookups.
  @usableFromInline package func prepare(_ database: Database) throws(LMDBError) {
    guard transaction.handle != nil else { throw transaction.endedError() }
    _ = try transaction.handleOf(database)
    guard let tree = try transaction.mappedTree(database)?.pointee, tree.depth > 0, let base = tree.base
    else {
      return
    }
    for index in 0..<count { Self.descend(items + index, in: tree, base) }
    for index in 0..<count { Self.enter(items + index, in: tree) }
  }

  /// Finds the number of a key's leaf, and prefetches the beginning of the leaf.
  @inline(__always)
  private static func descend(
    _ item: UnsafeMutablePointer<Item>,
    in tree: MappedTree,
    _ base: UnsafeRawPointer
  ) {
    guard item.pointee.key.count <= 511, let wanted = SearchKey(item.pointee.key) else { return }
    var number = tree.root
    var parent = tree.rootMark
    var bounds = KeyBounds()
    for _ in 1..<tree.depth {
      guard let page = tree.page(number, PageFlags.branch, of: parent) else { return }
      let (_, node) = page.branch(wanted, &bounds)
      guard node >= 0 else { return }
      parent = number
      number = page.child(node)
    }
    guard number >= 2, number < tree.pageLimit else { return }
    let start = base + Int(truncatingIfNeeded: number) &* tree.pageSize
    clmdb_prefetch(start)
    clmdb_prefetch(start + 64)
    item.pointee.wanted = wanted
    item.pointee.bounds = bounds
    item.pointee.number = number
    item.pointee.parent = parent
  }

  /// Prefetches the part of the leaf that is likely to contain the key.
  @inline(__always)
  private static func enter(_ item: UnsafeMutablePointer<Item>, in tree: MappedTree) {
    guard let wanted = item.pointee.wanted,
      let leaf = tree.page(item.pointee.number, PageFlags.leaf, of: item.pointee.parent)
    else { return }
    item.pointee.leaf = leaf
    let guess = item.pointee.bounds.place(of: wanted.prefix, among: leaf.count)
    item.pointee.guess = guess
    let node = leaf.rawOffset(guess >= 0 ? guess : leaf.count &>> 1)
    guard node < leaf.size else { return }
    clmdb_prefetch(leaf.start + node)
    clmdb_prefetch(leaf.start + node + 64)
    clmdb_prefetch(leaf.start + node + 128)
    // Few nodes begin at the start of a cache line. A node of 150 bytes usually spans four lines.
    clmdb_prefetch(leaf.start + node + 192)
  }

  /// Returns the value of one of the keys, like ``Transaction/get(_:_:)``.
  ///
  /// - Precondition: `index` is in `0..<count`, and `prepare` was called with the same database.
  @inline(__always)
  @usableFromInline package func value(
    _ index: Int,
    in database: Database
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    let item = items + index
    if let leaf = item.pointee.leaf, let wanted = item.pointee.wanted,
      let tree = try transaction.mappedTree(database)
    {
      let found = leaf.lowerBound(wanted, from: 0, near: item.pointee.guess)
      if found.index >= 0 {
        if !found.isEqual { return nil }
        if let value = MappedTree.value(tree, leaf, leaf.node(found.index)) { return value }
      }
    }
    // Finds any damage again, and throws it.
    return try transaction.get(database, item.pointee.key)
  }
}
