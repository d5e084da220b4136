import Fief

/// The checked changes of one operation: values by place. No place is above another one.
struct TreeChanges: Sendable {
  struct Change: Sendable {
    let path: TreePath
    let place: TreePlace
    /// The new value; `nil` to remove the node.
    let value: TreeValue?
  }

  private(set) var changes: [Change] = []
  /// The client that makes the changes; `nil` for the program itself.
  private var client: TreeClient?
  /// The size of the values as JSON, with their paths.
  private let size: Int

  /// - Throws: `FiefError` of code `invalidTreeKey`, `treeTooDeep`, `valueTooLarge` or `invalidValue`.
  init(_ value: JSON, at path: TreePath) throws(FiefError) {
    var builder = TreeValueBuilder()
    try path.checkDepth()
    changes = [Change(path: path, place: TreePlace(path), value: try builder.build(value, at: path))]
    size = builder.size
  }

  /// - Throws: also `FiefError` of code `overlappingPaths`.
  init(_ values: JSONObject, below parent: TreePath) throws(FiefError) {
    var builder = TreeValueBuilder()
    var paths: [TreePath] = []
    for member in values.members {
      let path = try TreePath(member.name, below: parent)
      paths.append(path)
      let value = try builder.build(member.value, at: path)
      changes.append(Change(path: path, place: TreePlace(path), value: value))
    }
    size = builder.size
    // In the order of the tree, a path is followed by the paths below it.
    paths.sort { $0.precedes($1) }
    for (first, second) in zip(paths, paths.dropFirst()) where second.hasPrefix(first) {
      throw FiefError(
        .overlappingPaths,
        "Two paths of an update are equal, or one of them is above the other.",
        details: [first, second].map { "path: " + HiddenValue.text($0.text) }
      )
    }
  }

  /// Returns the changes of a client, which the rules check when they are made.
  func checked(for client: TreeClient?) -> TreeChanges {
    var changes = self
    changes.client = client
    return changes
  }

  private var onlyRemoves: Bool { changes.allSatisfy { $0.value == nil } }

  /// Commits the changes in a turn of the store's queue.
  nonisolated(nonsending) func commit(to tree: JSONTree) async throws {
    if changes.isEmpty { return }
    let (store, core) = try tree.origin.store()
    _ = try await core.submit(work(of: store), bytes: size)
  }

  /// Commits the changes, and blocks until the commit is durable.
  func commitAndWait(to tree: JSONTree) throws {
    if changes.isEmpty { return }
    let (store, core) = try tree.origin.store()
    _ = try core.submit(work(of: store), bytes: size)
  }

  /// A removal may use the space that the store reserves for deletions on a full disk.
  func work(of store: Store) -> WriteWork {
    .body({ [visible = store.visible] in try apply(in: $0.seeing(visible)) }, onlyDeletes: onlyRemoves)
  }

  /// Makes the changes in a write. If this fails, the write cannot be committed.
  func apply(in scope: WriteTransaction) throws {
    let nodes = try TreeNodes(in: scope)
    try client?.checkWrite(of: changes, in: nodes, at: scope.writer.milliseconds())
    try scope.changing { try apply(to: nodes, scope.writer, in: scope) }
  }

  /// Makes the changes in a migration. If this fails, the migration ends, unless the rules have refused them.
  func apply(in migration: Migration) throws {
    try migration.reading { writer in
      let nodes = try TreeNodes(writer.currentTables, writer.transaction)
      try client?.checkWrite(of: changes, in: nodes, at: writer.milliseconds())
    }
    try migration.writing { writer in
      try apply(to: try TreeNodes(writer.currentTables, writer.transaction), writer, in: nil)
    }
  }

  /// Makes the changes with the writer of a store that is used without its classes.
  func apply(with writer: RecordWriter) throws {
    try apply(to: try TreeNodes(writer.currentTables, writer.transaction), writer, in: nil)
  }

  private func apply(to nodes: TreeNodes, _ records: RecordWriter, in scope: WriteTransaction?) throws {
    var writer = try SubtreeWriter(nodes, records, in: scope)
    for change in changes {
      do {
        if try writer.set(change.value, at: change.place, change.path) { records.note(change.path) }
      } catch {
        throw FiefError.described(error, store: nodes.storeName, at: change.path)
      }
    }
  }
}

extension RecordWriter {
  /// Notes a place of a tree that was written, for observations of this and other processes.
  func note(_ path: TreePath) { note(path.place) { try ChangeRing.keep($0, $1) } }
}
