/// The common state of a write transaction and its nested transactions, from the begin to the commit.
final class WriteSession {
  /// The thread that began the transaction. LMDB hangs if another thread commits.
  let thread: UInt
  /// Whether anything was changed, so that there is something to commit.
  var isChanged = false
  /// Whether a nested transaction was rolled back. Its changes are counted by `isChanged`.
  var hasRolledBack = false
  /// The changes, or `nil` if they are not recorded.
  @exclusivity(unchecked) var log: ChangeLog?
  /// Whether the map was too small at any time, even if the caller continued regardless.
  var needsGrowth = false
  /// The first failure that leaves LMDB's transaction unusable.
  var firstFailure: Int32 = 0
  /// The databases whose handles become known by name with the commit.
  var opened: [(name: String, database: Database)] = []
  /// The databases to remove immediately before the commit.
  ///
  /// LMDB closes a dropped handle immediately, although the transaction may still abort. Dropping earlier
  /// would lose the changes of a parent transaction.
  var dropped: [(name: String, database: Database)] = []
  /// The tree that makes LMDB write pages early; `nil` before it does so.
  var spillingTree: UInt32?

  /// The state with which the transaction begins, and at the end the state that it commits; `nil` if commits
  /// are not authenticated.
  var seal: CommitSeal?
  /// Whether changed trees are collected for the record of the commit.
  @exclusivity(unchecked) var notesTrees = false
  /// The trees that were changed. A change may have been rolled back.
  private(set) var changedTrees: Set<Database> = []
  @exclusivity(unchecked) private var lastChanged: Database?

  /// The opened pages of the last commit, which a write reads if LMDB has not changed them; `nil` before a
  /// sealed tree is read.
  @exclusivity(unchecked) var openedPages: DecryptedPages?
  @exclusivity(unchecked) var usesOpenedPages = false
  /// The values that were opened individually.
  @exclusivity(unchecked) var openedValues: DecryptedValues?

  /// Checks pages before LMDB visits them; `nil` if all pages were checked.
  let check: WriteCheck?

  init(thread: UInt, _ environment: Environment) {
    self.thread = thread
    if let pages = environment.checkedPages, !pages.isComplete {
      check = WriteCheck()
    } else {
      check = nil
    }
  }

  /// Records that a tree is changed.
  @inline(__always)
  func noteTree(_ database: Database) {
    if notesTrees, lastChanged != database { addTree(database) }
  }

  @inline(never)
  private func addTree(_ database: Database) {
    lastChanged = database
    changedTrees.insert(database)
  }

  deinit { openedPages?.endUse() }
}
