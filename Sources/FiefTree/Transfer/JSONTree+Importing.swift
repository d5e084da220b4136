import Fief
import Foundation
import LMDB

extension JSONTree {
  /// Replaces a place by the value in a JSON file, in one commit.
  ///
  /// ```swift
  /// let report = try await tree.importJSON(from: "rooms.json", to: tree.reference("rooms"))
  /// print(report.leaves, report.roundedIntegers, report.droppedPriorities)
  /// ```
  /// The file may have any size: it is read as a stream, sorted in a temporary file in the store's directory,
  /// which is encrypted if the store is, and written in the turn of one write. Memory stays below 96 MiB. If
  /// the import fails, or the program ends, nothing changes, and the temporary file is gone. Entries that are
  /// equal to stored ones are not written. The caller's thread does not wait; cancelling the task ends the
  /// import until the write begins.
  ///
  /// Exports of the Realtime Database are accepted: an object with `.value` stands for that value, and
  /// `.priority` is dropped and counted. Other names with a dot are refused.
  ///
  /// - Parameters:
  ///   - file: the path of the file.
  ///   - place: the place, as a reference of the tree. Rules do not check imports, so a client cannot import.
  /// - Returns: the counts of leaves, rounded integers and dropped priorities.
  /// - Throws: `FiefError` of code `malformedJSON`, also if an object has two members of one name;
  ///   `invalidTreeKey`, `treeTooDeep`, `valueTooLarge` or `invalidValue` for a name or a value. These have the
  ///   line and the column in `details`. `permissionDenied` for a reference of a client. `nestedWrite` in an
  ///   optimistic transaction. `storeFull` if the disk is full, `inputOutput` if the file cannot be read,
  ///   `cancelled`; errors of opening and writing the store. Nothing is then changed.
  @discardableResult
  nonisolated(nonsending) public func importJSON(from file: String, to place: TreeReference) async throws
    -> TreeImportReport
  {
    try await TransferWork(self, place, forWriting: true).onThread { work, isCancelled in
      try work.importJSON(from: file, isCancelled: isCancelled)
    }
  }

  /// Replaces a place by the value in a JSON file, and blocks until the commit is durable. See
  /// ``importJSON(from:to:)``.
  @discardableResult
  public func importJSONAndWait(from file: String, to place: TreeReference) throws -> TreeImportReport {
    try TransferWork(self, place, forWriting: true).importJSON(from: file) { false }
  }

  /// Writes the value of a place to a JSON file.
  ///
  /// The value may have any size: it is read from one committed state and written as a stream, in less than
  /// 96 MiB of memory. Objects are in the order of the tree, and numbers are exact. Nothing is `null`. The
  /// file is replaced in one step when it is complete and on the disk.
  ///
  /// - Parameters:
  ///   - place: the place. For a reference of a client, the rules must allow to read it.
  ///   - file: the path of the file. An existing file is replaced, also the file to which a symbolic link leads.
  ///     Only the owner of the new file may read it. If the process is killed while it replaces a file, a second
  ///     name `.fief-new-…` may remain beside it; the next export to the file removes it.
  ///   - arrays: whether nodes that look like arrays are written as arrays, as ``TreeSnapshot/value`` describes.
  /// - Throws: `FiefError` of code `storeFull` if the disk is full, `inputOutput` if the file cannot be
  ///   written, `cancelled`; errors of opening and reading the store. The file is then as it was.
  nonisolated(nonsending) public func exportJSON(
    from place: TreeReference,
    to file: String,
    arrays: Bool = false
  ) async throws {
    try await TransferWork(self, place, forWriting: false).onThread { work, isCancelled in
      try work.exportJSON(to: file, arrays: arrays, isCancelled: isCancelled)
    }
  }

  /// Writes the value of a place to a JSON file, and blocks until it is on the disk. See
  /// ``exportJSON(from:to:arrays:)``.
  public func exportJSONAndWait(from place: TreeReference, to file: String, arrays: Bool = false) throws {
    try TransferWork(self, place, forWriting: false).exportJSON(to: file, arrays: arrays) { false }
  }
}

/// An import or an export by a program.
private struct TransferWork: Sendable {
  private let path: TreePath
  private let client: TreeClient?
  private let store: Store
  private let core: StoreCore

  /// - Throws: `FiefError` of code `foreignObject` for a place of another store; `permissionDenied` for an
  ///   import by a client; `nestedWrite` for an import in an optimistic transaction; errors of opening the
  ///   store.
  init(_ tree: JSONTree, _ place: TreeReference, forWriting: Bool) throws {
    (store, core) = try tree.origin.store()
    if place.tree.origin !== tree.origin, try place.tree.origin.store().1 !== core {
      throw FiefError(.foreignObject, "The reference belongs to another store.", store: core.name)
    }
    if forWriting, core.isReadOnly { throw core.readOnlyError }
    // The thread that writes does not have the task-local values of the caller.
    if forWriting { try core.checkNoTransaction() }
    if forWriting, place.client != nil {
      throw FiefError(
        .permissionDenied,
        "Access rules do not check imports: import with a reference of the tree, or write the value.",
        store: core.name
      )
    }
    path = place.location
    client = place.client
  }

  func importJSON(from file: String, isCancelled: () -> Bool) throws -> TreeImportReport {
    // The classes of the tree are checked before the file is read.
    let sealing = try store.read { try TreeNodes(in: $0).transaction.sealing }
    var transfer = try TreeImport(at: path, directory: core.directory, sealing: sealing)
    try transfer.read(file, isCancelled: isCancelled)
    let (report, finished) = (transfer.report, transfer)
    try core.write { scope in
      let scope = scope.seeing(store.visible)
      let nodes = try TreeNodes(in: scope)
      _ = try scope.changing { try finished.write(nodes, scope.writer, in: scope) }
    }
    return report
  }

  func exportJSON(to file: String, arrays: Bool, isCancelled: @escaping () -> Bool) throws {
    try OutputFile.replace(file) { output in
      try store.read { snapshot in
        let nodes = try TreeNodes(in: snapshot)
        try client?.checkRead(of: path, in: nodes)
        let export = TreeExport(nodes, at: path, arrays: arrays, isCancelled: isCancelled) {
          try output.write($0)
        }
        do { try export.run() } catch { throw FiefError.described(error, store: core.name, at: path) }
      }
    }
  }

  /// Calls `body` on a thread that may block for long.
  nonisolated(nonsending) func onThread<Value: Sendable>(
    _ body: @escaping @Sendable (TransferWork, _ isCancelled: @escaping () -> Bool) throws -> Value
  ) async throws -> Value {
    let cancellation = BackgroundThreads.Cancellation()
    return try await BackgroundThreads.transfers.run(cancellation: cancellation) {
      try body(self) { cancellation.isCancelled }
    }
  }
}
