import Fief
import FiefTree
import Foundation

extension TreeDriver {
  /// Compares the answer of a query with the model.
  func ask(_ question: TreeQuestion) throws {
    tally.questions += 1
    tally.queries += 1
    let query = try question.query(in: tree)
    try compare(question) { try query.snapshot() }
    if question.isAnswered(by: indexes) {
      if case .index = try query.explain() { tally.indexed += 1 }
      try expect(try query.count(), question.result(in: model).count, "count", question)
    }
  }

  /// Compares the answer of a query in a write or a migration with the model.
  func ask(_ question: TreeQuestion, with editor: TreeEditor) throws {
    try compare(question) { try editor.snapshot(of: question.query(in: tree)) }
  }

  private func compare(_ question: TreeQuestion, _ answer: () throws -> TreeSnapshot) throws {
    guard question.isAnswered(by: indexes) else {
      do {
        _ = try answer()
        throw Wrong(description: "\(question) is answered without an index")
      } catch let error as FiefError where error.code == .indexRequired {
        return
      }
    }
    let children = try answer().children
    let expected = question.result(in: model)
    let isGroup = if case .group = question.source { true } else { false }
    try expect(
      children.map { Array((isGroup ? $0.reference.path : $0.key ?? "").utf8) },
      expected.map { Array($0.path.joined(separator: "/").utf8) },
      "the children",
      question
    )
    try expect(children.map(\.json), expected.map(\.value), "the values", question)
  }

  private func expect<Value: Equatable>(
    _ value: Value,
    _ expected: Value,
    _ name: String,
    _ question: TreeQuestion
  ) throws {
    if value != expected {
      throw Wrong(description: "\(name) of \(question) are \(value), expected \(expected)")
    }
  }

  // MARK: Indexes

  /// Declares an index, and waits until it is built. The driver's own tree declares none, so an index that is
  /// removed stays removed.
  func declare(_ index: TreeIndexChoice) throws {
    if indexes.contains(index) { return }
    let declaring = JSONTree(in: repository, rules: try index.added(to: AccessRules()))
    // The first use begins the build.
    _ = try declaring.root.exists()
    let deadline = ContinuousClock.now + .seconds(60)
    while try !tree.indexes().contains(where: { $0.isComplete && index.isEqual(to: $0) }) {
      if ContinuousClock.now > deadline { throw Wrong(description: "the index \(index) is not built") }
      usleep(100)
    }
    indexes.insert(index)
  }

  func remove(_ choice: TreeIndexChoice) throws {
    for index in try tree.indexes() where choice.isEqual(to: index) { try tree.removeIndexAndWait(index) }
    indexes.remove(choice)
    // The other observations go on without the index.
    listeners.removeAll { $0.copy.question?.isAnswered(by: indexes) == false }
  }
}
