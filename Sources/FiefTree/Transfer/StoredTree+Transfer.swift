package import Fief
import LMDB

extension StoredTree {
  /// Replaces a place by the value in a JSON file, in one commit. See ``JSONTree/importJSON(from:to:)``.
  ///
  /// - Returns: the counts, and whether the value has changed.
  /// - Throws: the errors of ``JSONTree/importJSON(from:to:)``; `FiefError` of code `unknownType` if the store
  ///   has no tree.
  package static func importJSON(
    from file: String,
    to path: String,
    in store: DynamicStore
  ) throws -> (report: TreeImportReport, isChanged: Bool) {
    let path = try TreePath(path)
    let sealing = try store.read { snapshot in
      _ = try StoredTree(snapshot)
      return snapshot.transaction.sealing
    }
    var transfer = try TreeImport(at: path, directory: store.directory, sealing: sealing)
    try transfer.read(file) { false }
    let isChanged = try store.write { transaction in
      let writer = transaction.writer
      return try transfer.write(try TreeNodes(writer.currentTables, writer.transaction), writer, in: nil)
    }
    return (transfer.report, isChanged)
  }

  /// Passes the value of a place to `write` as a JSON document.
  ///
  /// - Throws: the errors of ``JSONTree/exportJSON(from:to:arrays:)``, and of `write`.
  package func exportJSON(
    at path: String,
    arrays: Bool,
    write: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try TreeExport(nodes, at: TreePath(path), arrays: arrays, isCancelled: { false }, write: write).run()
  }

  /// Writes the value of a place to a JSON file. See ``JSONTree/exportJSON(from:to:arrays:)``.
  package func exportJSON(at path: String, to file: String, arrays: Bool) throws {
    try OutputFile.replace(file) { output in
      try exportJSON(at: path, arrays: arrays) { try output.write($0) }
    }
  }

  /// Passes the leaves that the Realtime Database refuses to `report`, with the reason.
  package func lintForFirebase(_ report: @escaping (_ path: String, _ problem: String) throws -> Void) throws
  {
    var scan = SubtreeScan(nodes, FirebaseLint(report))
    try scan.run(at: TreePlace(TreePath()))
  }
}
