/// The common part of a write transaction and its nested ones, from begin to commit.
final class WriteSession {
  /// The thread that began; LMDB hangs when another one commits.
  let thread: UInt
  /// Whether anything was changed, so that there is something to commit.
  var isChanged = false
  /// The changes; nil where they are not collected.
  @exclusivity(unchecked) var log: ChangeLog?
  /// Whether the map was too small at any time, even where the caller went on regardless.
  var needsGrowth = false
  /// The first failure that leaves LMDB's transaction unusable.
  var firstFailure: Int32 = 0
  /// Handles that become known by their names with the commit.
  var opened: [(name: String, database: Database)] = []
  /// Databases to be removed right before the commit.
  ///
  /// LMDB closes a dropped handle at once, in a transaction that may still abort, so dropping earlier would
  /// lose the changes of a parent transaction.
  var dropped: [(name: String, database: Database)] = []

  /// The state that the transaction begins with, and at the end the state that it commits; nil if commits are not authenticated.
  var seal: CommitSeal?
  /// Whether the changed trees are noted, for the record of the commit.
  @exclusivity(unchecked) var notesTrees = false
  /// The trees that were changed; a change may have been rolled back.
  private(set) var changedTrees: Set<Database> = []
  @exclusivity(unchecked) private var lastChanged: Database?

  /// The opened pages of the last commit, which a write reads where LMDB has not changed them; nil before a sealed tree is read.
  @exclusivity(unchecked) var openedPages: OpenedPages?
  @exclusivity(unchecked) var usesOpenedPages = false
  /// The values that were opened one by one.
  @exclusivity(unchecked) var openedValues: OpenedValues?

  /// Checks pages before LMDB goes through them; nil where all were checked.
  let check: WriteCheck?

  init(thread: UInt, _ environment: Environment) {
    self.thread = thread
    if let pages = environment.checkedPages, !pages.isComplete {
      check = WriteCheck()
    } else {
      check = nil
    }
  }

  /// Notes that a tree is changed.
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
