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

  /// Returns a query of the children of every node with a name. See ``JSONTree/group(_:)``. It needs the read
  /// rule of the group, or the read rule of the root.
  ///
  /// - Throws: the errors of ``JSONTree/group(_:)``.
  public func group(_ name: String) throws -> TreeQuery {
    TreeQuery(reference: root, selection: try tree.group(name).selection)
  }

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
  ///
  /// - Parameter path: the observed place; `nil` for a group.
  func add(_ observation: any StoreObservation, of path: TreePath?, in core: StoreCore) -> NotificationToken {
    let before = state.withLock { $0.generation }
    let token = core.hub.add(observation, of: core)
    guard let id = core.hub.observations(of: [token]).first else { return token }
    let added = ClientObservations.Entry(hub: core.hub, token: token, id: id, path: path)
    let generation = state.withLock { state in
      state.observations.add(added)
      return state.generation
    }
    // The first evaluation may have used the former identity.
    if generation != before { added.reevaluate() }
    return token
  }

  /// Ends the observations of exactly a path that this client began. Observations of groups stay.
  func removeObservations(of path: TreePath) {
    let ended = state.withLock { $0.observations.all.filter { $0.path == path } }
    for observation in ended { observation.token?.invalidate() }
  }

  // MARK: Checks

  /// Checks that the client may read a place.
  ///
  /// - Parameters:
  ///   - path: the place; the root for a group.
  ///   - query: the query of the place, if it is one.
  ///   - group: the name of the nodes of a group, if the query is the query of a group.
  ///   - notesPlaces: whether the result is needed.
  /// - Returns: the places that the rules have read.
  /// - Throws: `FiefError` of code `permissionDenied`.
  @discardableResult
  func checkRead(
    of path: TreePath,
    _ query: RuleQuery? = nil,
    group: String? = nil,
    in nodes: TreeNodes,
    notesPlaces: Bool = false
  ) throws -> Set<TreePath> {
    let rules = tree.origin.rules
    let now = Milliseconds.since1970(nodes.clock())
    return try check(nodes, query, now: now, notesPlaces: notesPlaces) { check, _ in
      guard let group else { return try check.checkRead(of: path.names) }
      try check.checkRead(ofGroup: rules.groups[ExactText(group)])
    }
  }

  /// - Parameter now: the time of the write in milliseconds since 1970.
  /// - Throws: `FiefError` of code `permissionDenied` unless the client may make changes.
  func checkWrite(of changes: [TreeChanges.Change], in nodes: TreeNodes, at now: Int64) throws {
    try check(nodes, now: now) { check, root in
      let written = WrittenData(before: root, ChangedPlace(changes), now: now)
      defer { written.end() }
      try check.checkWrite(written)
    }
  }

  @discardableResult
  private func check(
    _ nodes: TreeNodes,
    _ query: RuleQuery? = nil,
    now: Int64,
    notesPlaces: Bool = false,
    _ body: (RuleCheck, StoredData) throws -> Void
  ) throws -> Set<TreePath> {
    let stored = StoredRules(nodes, notesPlaces: notesPlaces)
    let root = StoredData(stored)
    defer {
      stored.end()
      root.end()
    }
    let identity = state.withLock { $0.identity }
    let operation = RuleOperation(identity: identity, now: now, root: root, query: query)
    do { try body(RuleCheck(tree.origin.rules.root, operation), root) } catch let refusal as RuleCheck.Refusal
    {
      throw FiefError(refusal, store: nodes.storeName)
    }
    return stored.places
  }
}
