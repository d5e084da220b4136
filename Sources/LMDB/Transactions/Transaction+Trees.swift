extension Transaction {
  /// Returns the tree of a database in this snapshot if its pages can be read directly, or `nil` if LMDB must
  /// read them.
  ///
  /// - Precondition: `handleOf(database)` did not throw.
  @inline(__always)
  final func mappedTree(_ database: Database) throws(LMDBError) -> UnsafeMutablePointer<MappedTree>? {
    guard snapshot != 0 else { return nil }
    if let trees, Int(database.slot) < treeCount {
      let tree = trees + Int(database.slot)
      if tree.pointee.stamp == snapshot, tree.pointee.generation == database.generation {
        return tree.pointee.isReadable ? tree : nil
      }
    }
    return try findTree(database)
  }

  /// Looks up a database's tree in the main tree, once for each snapshot.
  @inline(never)
  private final func findTree(
    _ database: Database
  ) throws(LMDBError) -> UnsafeMutablePointer<MappedTree>? {
    if Int(database.slot) >= treeCount { makeRoom(for: Int(database.slot)) }
    guard let trees else { return nil }
    var tree = MappedTree()
    tree.stamp = snapshot
    tree.generation = database.generation
    if let handle, let name = environment.databases.name(of: database) {
      try environment.read(name, slot: database.slot, handle, into: &tree)
      if tree.isReadable, let sealed = try sealedTree(database) {
        tree.seal = seal(of: sealed, handle)
        // Values are then opened individually.
        if tree.seal == nil { tree.isReadable = false }
      }
    }
    let place = trees + Int(database.slot)
    place.pointee = tree
    return tree.isReadable ? place : nil
  }

  private final func makeRoom(for slot: Int) {
    let count = max(16, slot + 1, treeCount * 2)
    let new = UnsafeMutablePointer<MappedTree>.allocate(capacity: count)
    new.initialize(repeating: MappedTree(), count: count)
    if let trees {
      new.update(from: trees, count: treeCount)
      trees.deallocate()
    }
    trees = new
    treeCount = count
  }

  /// Frees the trees after the map has moved, and at the end of the object.
  final func forgetTrees() {
    trees?.deallocate()
    trees = nil
    treeCount = 0
  }

  /// The value of ``damagedPage`` for a page that could not be opened because the system has no memory for
  /// it.
  private static var unopened: UInt64 { .max }

  /// Returns the error for a page that is damaged or for which there is no memory. The scope of the
  /// transaction throws it too.
  @inline(never)
  final func damage(page: UInt64) -> LMDBError {
    let lacksMemory = openedValues?.lacksMemory == true
    // The next page may fail for another reason.
    openedValues?.lacksMemory = false
    let found = lacksMemory ? Self.unopened : page &+ 1
    if damagedPage == 0 { damagedPage = found }
    return error(ofDamage: found)
  }

  private final func error(ofDamage found: UInt64) -> LMDBError {
    if found == Self.unopened { return LMDBError(.noMemory, path: environment.directory) }
    return LMDBError(.damaged, path: environment.directory, detail: "page \(found &- 1)")
  }

  /// Returns the error for the first damaged page, whether or not the error of its read was propagated.
  @usableFromInline
  @inline(never)
  final func damageError() -> LMDBError { error(ofDamage: damagedPage) }

  /// Marks the damage as reported, so that the scope does not throw it.
  @usableFromInline package final func acknowledgeDamage() { damagedPage = 0 }

  /// Checks the pages that were read so far.
  ///
  /// - Throws: `damaged` if a page was damaged.
  package final func checkDamage() throws(LMDBError) { if damagedPage != 0 { throw damageError() } }
}
