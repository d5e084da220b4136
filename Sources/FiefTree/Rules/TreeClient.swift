public import Fief
import FiefRules

/// A client of a tree, whose reads and writes are checked by the rules of the tree.
///
/// ```swift
/// let client = tree.client(as: RuleAuth(uid: "ada"))
/// let profile = try client.reference("users/ada")
/// try await profile.child("name").setValue("Ada")
/// client.signOut()
/// ```
/// The references of a client have the same verbs as the references of the tree. What the rules refuse throws
/// `FiefError` of code `permissionDenied` and changes nothing. Rules are evaluated in the transaction of the
/// read or the write, for the identity that the client then has.
public final class TreeClient: Sendable {
  private struct State: Sendable {
    var auth: RuleAuth?
    var identity: RuleIdentity?
    /// The number of times that the identity was replaced.
    var generation = 0
    var observations = ClientObservations()
  }

  private let tree: JSONTree
  private let state: Lock<State>

  init(_ tree: JSONTree, _ auth: RuleAuth?) {
    self.tree = tree
    state = Lock(State(auth: auth, identity: auth?.identity))
  }

  /// The identity of the client; `nil` if it is signed out.
  public var auth: RuleAuth? { state.withLock { $0.auth } }

  /// Replaces the identity of the client, for example when its token was renewed. An observation that the rules
  /// no longer allow ends with the error `permissionDenied`.
  ///
  /// - Parameter auth: the new identity; `nil` to sign out.
  public func update(_ auth: RuleAuth?) {
    let observations = state.withLock { state in
      (state.auth, state.identity) = (auth, auth?.identity)
      state.generation += 1
      return state.observations.all
    }
    for observation in observations { observation.reevaluate() }
  }

  /// Removes the identity of the client.
  public func signOut() { update(nil) }

  /// The reference of the whole tree.
  public var root: TreeReference { TreeReference(tree: tree, client: self, location: TreePath()) }

  /// Returns the reference of a place. See ``JSONTree/reference(_:)``.
  ///
  /// - Throws: the errors of ``JSONTree/reference(_:)``.
  public func reference(_ path: String) throws -> TreeReference { try root.child(path) }

  /// Returns the tree in one committed state. See ``JSONTree/in(_:)-(Snapshot)``.
  ///
  /// - Throws: `FiefError` of code `foreignObject` if the state belongs to another store.
  public func `in`(_ snapshot: Snapshot) throws -> TreeReader {
    try tree.check(snapshot)
    return TreeReader(tree, .scope(snapshot), for: self)
  }

  /// Returns the tree in a write. See ``JSONTree/in(_:)-(WriteTransaction)``. The rules of each operation see
  /// the state after the earlier ones.
  ///
  /// - Throws: `FiefError` of code `foreignObject` if the transaction belongs to another store.
  public func `in`(_ transaction: WriteTransaction) throws -> TreeEditor {
    try tree.check(transaction)
    return TreeEditor(tree, .write(transaction), for: self)
  }

  // MARK: Observations

  /// Begins an observation, which is evaluated again when the identity was replaced.
  func add(_ observation: any StoreObservation, of core: StoreCore) -> NotificationToken {
    let before = state.withLock { $0.generation }
    let token = core.hub.add(observation, of: core)
    guard let id = core.hub.observations(of: [token]).first else { return token }
    let added = ClientObservations.Entry(hub: core.hub, id: id)
    let generation = state.withLock { state in
      state.observations.add(added)
      return state.generation
    }
    // The first evaluation may have used the former identity.
    if generation != before { added.reevaluate() }
    return token
  }

  // MARK: Checks

  /// - Parameter query: the query of the place, if it is one.
  /// - Returns: the places that the rules have read.
  /// - Throws: `FiefError` of code `permissionDenied` unless the client may read a place.
  @discardableResult
  func checkRead(of path: TreePath, _ query: RuleQuery? = nil, in nodes: TreeNodes) throws -> [TreePath] {
    try check(nodes, query, now: Milliseconds.since1970(nodes.clock())) { check, _ in
      try check.checkRead(of: path.names)
    }
  }

  /// - Parameter now: the time of the write in milliseconds since 1970.
  /// - Throws: `FiefError` of code `permissionDenied` unless the client may make changes.
  func checkWrite(of changes: [TreeChanges.Change], in nodes: TreeNodes, at now: Int64) throws {
    try check(nodes, now: now) { check, root in
      try check.checkWrite(WrittenData(before: root, ChangedPlace(changes), now: now))
    }
  }

  @discardableResult
  private func check(
    _ nodes: TreeNodes,
    _ query: RuleQuery? = nil,
    now: Int64,
    _ body: (RuleCheck, StoredData) throws -> Void
  ) throws -> [TreePath] {
    let stored = StoredRules(nodes)
    defer { stored.end() }
    let root = StoredData(stored)
    let identity = state.withLock { $0.identity }
    let operation = RuleOperation(identity: identity, now: now, root: root, query: query)
    do { try body(RuleCheck(tree.origin.rules.root, operation), root) } catch let refusal as RuleCheck.Refusal
    {
      throw FiefError(refusal, store: nodes.storeName)
    }
    return stored.places
  }
}
