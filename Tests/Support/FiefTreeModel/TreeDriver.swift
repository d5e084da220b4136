import Fief
import FiefTree
import Foundation

/// Does the same to a store and to the model, and compares.
///
/// Each kind of step has a function that performs it. A question (``TreeStep/read(_:)``,
/// ``TreeStep/keys(_:limit:after:)``, ``TreeStep/ask(_:)``) compares answers of the tree with answers of the
/// model. Observations replay their events into copies, which ``TreeStep/deliver`` compares.
///
/// A run blocks its thread, so it must not be a thread of Swift's tasks: these build the indexes.
package final class TreeDriver {
  /// A difference from the model.
  struct Wrong: Error, CustomStringConvertible {
    let description: String
    var isOfChecker = false

    static func ofChecker(_ problems: [String]) -> Wrong {
      Wrong(description: "the checker: \(problems)", isOfChecker: true)
    }
  }

  struct Aborted: Error {}

  /// The counts of a run, which show that it does everything.
  package struct Tally: Sendable {
    package var steps = 0
    package var commits = 0
    package var unchanged = 0
    package var aborted = 0
    package var migrations = 0
    package var questions = 0
    package var compared = 0
    package var queries = 0
    /// The queries that an index has answered.
    package var indexed = 0
    /// The comparisons of observations.
    package var delivered = 0
    /// The steps in which a call failed, and how many of these committed their write anyway, or may have.
    package var faults = 0
    package var faultsInDone = 0
    package var unknown = 0
  }

  private(set) var repository: TreeModelRepository
  private(set) var tree: JSONTree
  var model = TreeModel()
  package internal(set) var tally = Tally()
  /// The number of notes that were written.
  var notes = 0
  /// The end of the last write of a step.
  var attempt: Attempt?
  /// The last call that failed, and the error; empty if no call has failed.
  var lastFault = ""
  /// The indexes of the store.
  var indexes: Set<TreeIndexChoice> = []
  var listeners: [Listener] = []

  init(_ repository: TreeModelRepository) {
    self.repository = repository
    tree = JSONTree(in: repository)
  }

  func reference(_ path: [String]) throws -> TreeReference {
    try tree.reference(path.joined(separator: "/"))
  }

  func perform(_ step: TreeStep) throws {
    tally.steps += 1
    model.milliseconds = 1000 * Int64(1_700_000_000 + tally.steps)
    repository.clock.withLock { $0 = Date(timeIntervalSince1970: Double(1_700_000_000 + tally.steps)) }
    switch step {
    case .edit(let edit): try commit(edit)
    case .write(let edits, let question, let isAborted): try write(edits, question, isAborted: isAborted)
    case .migrate(let edits, let question): try migrate(edits, question)
    case .reopen: try reopen()
    case .read(let path): try read(path)
    case .keys(let path, let limit, let name): try keys(path, limit, name)
    case .ask(let question): try ask(question)
    case .declare(let index): try declare(index)
    case .removeIndex(let index): try remove(index)
    case .listen(let question, let path, let events): try listen(question, path, events)
    case .unlisten(let number): unlisten(number)
    case .deliver: try deliver()
    }
    try compare(step)
  }

  /// The end of a run: compares everything, and checks the store.
  func finish() throws {
    try deliver()
    try compareEverything()
    let problems = try repository.check().problems.map { "\($0)" }
    if !problems.isEmpty { throw Wrong.ofChecker(problems) }
    if repository.kind != .inMemory {
      repository.close()
      try compareEverything()
    }
    try tree.root.removeValueAndWait()
    let core = try repository.store().core()
    for type in ["JSONTreeNode", "JSONTreeIndexPlace", "JSONTreeIndexEntry"] {
      let rest = try core.read { try core.count(try core.tables.table(named: type), in: $0) }
      if rest > 0 { throw Wrong(description: "an empty tree has \(rest) objects of \(type)") }
    }
  }

  // MARK: Changes

  private static func values(_ changes: [(path: [String], value: JSON)]) -> FiefTree.JSONObject {
    FiefTree.JSONObject(changes.map { ($0.path.joined(separator: "/"), $0.value) })
  }

  private func commit(_ edit: TreeEdit) throws {
    let before = model.value(at: [])
    let core = try repository.store().core()
    let commit = try core.read { $0.id }
    var after = model
    after.apply(edit)
    try attemptWrite(to: after, notes) {
      switch edit {
      case .set(let value, let path): try reference(path).setValueAndWait(value)
      case .remove(let path): try reference(path).removeValueAndWait()
      case .update(let changes, let path):
        try reference(path).updateChildValuesAndWait(Self.values(changes))
      }
    }
    let isChanged = model.value(at: []) != before
    let commits = try core.read { $0.id } - commit
    if commits != (isChanged ? 1 : 0) {
      throw Wrong(description: "\(commits) commits by an edit; it changes the tree: \(isChanged)")
    }
    if isChanged { tally.commits += 1 } else { tally.unchanged += 1 }
  }

  /// - Parameter question: a query after the last edit.
  private func edit(_ edits: [TreeEdit], _ question: TreeQuestion, with editor: TreeEditor) throws {
    for edit in edits {
      switch edit {
      case .set(let value, let path): try editor.setValue(value, at: reference(path))
      case .remove(let path): try editor.removeValue(at: reference(path))
      case .update(let changes, let path):
        try editor.updateChildValues(Self.values(changes), at: reference(path))
      }
      model.apply(edit)
      // An operation of a write sees the earlier ones.
      try compare(at: edit.place) { try editor.snapshot(at: $0).json }
    }
    try ask(question, with: editor)
  }

  private func write(_ edits: [TreeEdit], _ question: TreeQuestion, isAborted: Bool) throws {
    let before = model
    var after = model
    for edit in edits { after.apply(edit) }
    do {
      try attemptWrite(to: after, notes + 1) {
        defer { model = before }
        try repository.write { transaction in
          model = before
          try edit(edits, question, with: tree.in(transaction))
          _ = try transaction.create(TreeModelNote.self, value: ["id": notes])
          if isAborted { throw Aborted() }
        }
      }
      tally.commits += 1
    } catch is Aborted {
      tally.aborted += 1
    }
  }

  private func reopen() throws {
    if repository.kind == .inMemory { return }
    repository.close()
    try listenAgain()
  }

  private func migrate(_ edits: [TreeEdit], _ question: TreeQuestion) throws {
    // A store in memory is gone when it is closed.
    if repository.kind == .inMemory { return }
    repository.close()
    var next = repository
    next.version += 1
    let failure = Lock<(any Error)?>(nil)
    // SAFETY: the block runs while this function waits for the opening.
    nonisolated(unsafe) let driver = self
    next.migrationBlock = { migration, _ in
      do { try driver.edit(edits, question, with: driver.tree.in(migration)) } catch {
        failure.withLock { $0 = error }
        throw error
      }
    }
    let error = next.store().openingError
    if let error = failure.withLock({ $0 }) ?? error { throw error }
    next.migrationBlock = nil
    repository = next
    tally.migrations += 1
    tree = JSONTree(in: repository)
    try listenAgain()
  }

  // MARK: Questions

  private func read(_ path: [String]) throws {
    tally.questions += 1
    let value = model.value(at: path)
    try expect(try reference(path).exists(), value != .null, "exists", path)
    try compare(at: path) { try $0.snapshot().json }
  }

  private func keys(_ path: [String], _ limit: Int, _ name: String) throws {
    tally.questions += 1
    let place = try reference(path)
    let keys = model.keys(at: path)
    try expect(try place.keys().map { Array($0.utf8) }, keys.map { Array($0.utf8) }, "keys", path)
    try expect(try place.childCount(), keys.count, "childCount", path)
    let rest = keys.filter { TreeModel.isBefore(name, $0) }.prefix(limit)
    let found = try place.keys(limit: limit, after: name)
    try expect(found.map { Array($0.utf8) }, rest.map { Array($0.utf8) }, "keys after a name", path)
  }

  // MARK: Comparing

  /// Compares what a step may have changed, and everything now and then.
  private func compare(_ step: TreeStep) throws {
    for edit in step.edits { try compare(at: edit.place) { try $0.snapshot().json } }
    if tally.steps % 16 == 0 { try compareEverything() }
  }

  func compareEverything() throws {
    try compare(at: []) { try $0.snapshot().json }
    let problems = try tree.check()
    if !problems.isEmpty { throw Wrong.ofChecker(problems) }
    let count = try repository.count(TreeModelNote.self)
    try expect(count, notes, "notes", [])
  }

  private func compare(at path: [String], _ value: (TreeReference) throws -> JSON) throws {
    tally.compared += 1
    try expect(try value(reference(path)), model.value(at: path), "value", path)
  }

  private func expect<Value: Equatable>(
    _ value: Value,
    _ expected: Value,
    _ name: String,
    _ path: [String]
  ) throws {
    if value != expected {
      throw Wrong(description: "\(name) at \(TreeEdit.text(path)) is \(value), expected \(expected)")
    }
  }
}

extension TreeEdit {
  /// The place below which the edit may change values.
  fileprivate var place: [String] {
    switch self {
    case .set(_, let path), .remove(let path), .update(_, let path): path
    }
  }
}
