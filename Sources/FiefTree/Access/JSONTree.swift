public import Fief

/// A tree of JSON values, addressed by paths, in the store of a repository and beside its objects.
///
/// ```swift
/// struct ChatRepository: DatabaseConfigurable, Sendable {
///   let schemaName: String? = "chat"
///   let schemaVersion: UInt64? = 1
///   let objectTypes: [Object.Type]? = JSONTree.objectTypes + [Member.self]
/// }
///
/// let tree = JSONTree(in: ChatRepository())
/// try await tree.reference("rooms/r1/title").setValue("Fief")
/// ```
/// A node is named by a path: names that are joined by slashes. It has a value or children, never both, and
/// exists only as long as it has one of them. Each write is one commit. Every read sees one committed state;
/// inside of a write it sees the state of the write.
///
/// The tree knows the semantics of Firebase's Realtime Database: its names, orders and values.
public struct JSONTree: Sendable {
  let origin: TreeOrigin

  /// The classes of the tree, which its repository declares beside its own. Only the tree writes their
  /// objects.
  public static var objectTypes: [Object.Type] {
    addCheck()
    return [
      JSONTreeNode.self, JSONTreeChange.self, JSONTreeIndex.self, JSONTreeIndexPlace.self,
      JSONTreeIndexEntry.self,
    ]
  }

  /// Adds the check of a tree to the checks of stores.
  package static func addCheck() { isChecked }

  private static let isChecked: Void = ManagedChecks.add(
    ManagedChecks.Check { tables, transaction in
      do {
        return try TreeNodes(tables, transaction).problems()
      } catch let error as FiefError {
        // This version of the library cannot check a newer tree.
        if error.code == .formatTooNew || error.code == .unknownType { return [] }
        throw error
      }
    },
    ofType: TreeLayout.nodeType
  )

  /// Creates a tree in the store of a repository. The store is opened when you first use it.
  ///
  /// - Parameters:
  ///   - repository: a repository whose `objectTypes` contain ``objectTypes``.
  ///   - rules: the rules for clients, and the indexes of the tree. References of the tree itself are not
  ///     checked.
  public init(in repository: some DatabaseConfigurable & Sendable, rules: AccessRules = .signedIn) {
    Self.addCheck()
    origin = TreeOrigin(repository, rules)
  }

  /// The reference of the whole tree.
  public var root: TreeReference { TreeReference(tree: self, location: TreePath()) }

  /// The state of the connection to a server.
  public var connection: TreeConnection { TreeConnection(isConnected: false, serverTimeOffset: 0) }

  /// Returns the reference of a place.
  ///
  /// - Parameter path: names that are joined by slashes. Empty parts are dropped. A name has 1 to 768 bytes
  ///   of UTF-8, and does not contain `. $ # [ ] /` or a control character of ASCII. Names are equal
  ///   only if their bytes are.
  /// - Throws: `FiefError` of code `invalidTreeKey`, or `treeTooDeep` for more than 32 names.
  public func reference(_ path: String) throws -> TreeReference {
    TreeReference(tree: self, location: try TreePath(path))
  }

  /// Returns the tree for a client, whose reads and writes are checked by the rules.
  ///
  /// ```swift
  /// let client = tree.client(as: RuleAuth(uid: "ada"))
  /// try await client.reference("users/ada/name").setValue("Ada")
  /// ```
  /// - Parameter auth: the identity of the client; `nil` if it is signed out.
  public func client(as auth: RuleAuth?) -> TreeClient { TreeClient(self, auth) }

  /// Returns the tree in one committed state.
  ///
  /// ```swift
  /// let title = try chat.read { try tree.in($0).value(at: room) }
  /// ```
  /// - Parameter snapshot: the state that the closure of a `read { }` received.
  /// - Throws: `FiefError` of code `foreignObject` if the state belongs to another store; `storeClosed` if another
  ///   thread closes a store in memory that this tree has not used before.
  public func `in`(_ snapshot: Snapshot) throws -> TreeReader {
    try check(snapshot)
    return TreeReader(self, .scope(snapshot))
  }

  /// Returns the tree in a write, which changes it together with objects.
  ///
  /// ```swift
  /// try await chat.write {
  ///   try $0.create(Member.self, value: ["id": "ada"])
  ///   try tree.in($0).setValue("ada", at: room)
  /// }
  /// ```
  /// - Parameter transaction: the transaction that the closure of a `write { }` received.
  /// - Throws: `FiefError` of code `foreignObject` if the transaction belongs to another store.
  public func `in`(_ transaction: WriteTransaction) throws -> TreeEditor {
    try check(transaction)
    return TreeEditor(self, .write(transaction))
  }

  /// Returns the tree in a migration, which reads and changes it.
  ///
  /// ```swift
  /// let migrationBlock: MigrationBlock? = { migration, version in
  ///   let tree = JSONTree(in: ChatRepository())
  ///   try tree.in(migration).removeValue(at: tree.reference("drafts"))
  /// }
  /// ```
  /// The tree is read as the migration has left it so far. Its classes belong to the new version of the
  /// schema, too. The migration does not open the tree's repository.
  ///
  /// - Parameter migration: the migration that the block received.
  public func `in`(_ migration: Migration) throws -> TreeEditor { TreeEditor(self, .migration(migration)) }

  func check(_ scope: AccessScope) throws {
    guard try origin.isOrigin(of: scope.store) else {
      throw FiefError(
        .foreignObject,
        "The tree belongs to the store of another repository.",
        store: scope.store.name
      )
    }
  }

  /// Checks the entries of the whole tree. The store's own `check()` does so too, besides everything else.
  ///
  /// Reads one committed state while the store is in use, and changes nothing. The time is proportional to
  /// the size of the tree.
  ///
  /// - Returns: a line for each problem, with the key of the entry, which contains names; empty if the tree is
  ///   consistent.
  /// - Throws: `FiefError` if the tree cannot be read at all.
  public func check() throws -> [String] {
    try origin.store().0.read { try TreeNodes(in: $0).problems() }
  }

  /// Calls `body` with the state of this thread's write, or with the newest committed state.
  func read<Value>(_ body: (TreeReader) throws -> Value) throws -> Value {
    let (store, core) = try origin.store()
    if let write = core.active.current { return try body(TreeReader(self, .scope(write))) }
    return try store.read { try body(TreeReader(self, .scope($0))) }
  }
}
