import Fief
import Foundation

/// Does the same to a store and to the model, and compares.
package final class GraphDriver {
  /// A difference from the model.
  struct Wrong: Error, CustomStringConvertible {
    let description: String
    init(_ text: String) { description = text }
  }

  /// The counts of a run, to see that it does everything.
  package struct Tally: Sendable {
    package var operations = 0
    package var commits = 0
    package var denied = 0
    package var invalid = 0
    package var duplicates = 0
    package var aborted = 0
    package var compared = 0
    package var queries = 0
    package var checks = 0
    /// The most entries that the tree of large collections had when the checker looked.
    package var large = 0
  }

  let repository: GraphRepository
  var model = GraphModel()
  package internal(set) var tally = Tally()
  private var steps = 0

  package init(_ repository: GraphRepository) { self.repository = repository }

  /// Does a step, and compares what it may have changed; everything now and then.
  func perform(_ step: GraphStep) throws {
    steps += 1
    tally.operations += step.count
    model.beginCommit()
    let start = Date()
    switch step {
    case .write(let changes, let isAborted): try write(changes, isAborted: isAborted)
    case .save(let savings, let policy): try save(savings, policy)
    case .json(let savings, let policy): try importDocument(savings, policy)
    case .dynamic(let changes): try putDynamically(changes)
    case .delete(let refs, let way): try delete(refs, way)
    case .deleteAll(let kind): try deleteAll(kind)
    case .reopen: if repository.isOnDisk { repository.close() }
    case .query(let question, let number): try ask(question, number)
    }
    try compareTouched(since: start)
    if steps % 64 == 0 { try compareEverything() }
    if steps % 256 == 0 { try check() }
  }

  /// The end of a run: compares everything, and checks the store.
  package func finish() throws {
    model.beginCommit()
    try compareEverything()
    try check()
    if repository.isOnDisk {
      repository.close()
      try compareEverything()
    }
  }

  /// The outcome that the model predicts for a step that is one commit.
  enum Expectation: Equatable {
    case done
    case aborted
    case denied
    case notFound
    case duplicateKey
    /// Something that cannot be done, so that the write fails.
    case refused
    /// The state that it would leave is not allowed: relationships, or a value that is there twice.
    case invalid(Set<String>, isDuplicate: Bool)
  }

  /// The outcome of a commit that leaves a state.
  func expectation(of after: GraphModel) -> Expectation {
    let (violations, isDuplicate) = (after.violations, after.hasDuplicates)
    return violations.isEmpty && !isDuplicate ? .done : .invalid(violations, isDuplicate: isDuplicate)
  }

  struct Aborted: Error {}

  /// Runs what has to end as expected; the model becomes `after` if that is to be done.
  func run(_ expected: Expectation, _ after: GraphModel, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      try expect(error, expected)
      model.touchAll(of: after)
      return
    }
    guard expected == .done else { throw Wrong("it was done, but expected: \(expected)") }
    tally.commits += 1
    model = after
  }

  private func expect(_ error: any Error, _ expected: Expectation) throws {
    let code = (error as? FiefError)?.code
    switch expected {
    case .aborted where error is Aborted: tally.aborted += 1
    case .denied where code == .deletionDenied: tally.denied += 1
    case .notFound where code == .objectNotFound: break
    case .duplicateKey where code == .duplicatePrimaryKey: tally.duplicates += 1
    case .refused where code == .invalidValue: break
    case .invalid(_, true) where code == .duplicateValue: tally.duplicates += 1
    case .invalid(let violations, _) where code == .validationFailed && !violations.isEmpty:
      let details = Set(((error as? FiefError)?.showingValues().details ?? []).map(Self.withoutRowID))
      guard details == violations else {
        throw Wrong("violations \(details.sorted()), not \(violations.sorted())")
      }
      tally.invalid += 1
    default: throw Wrong("expected \(expected), but: \(error)")
    }
  }

  /// A line of an error without what the model does not know.
  private static func withoutRowID(_ line: String) -> String {
    for kind in [GraphKind.city, .note] {
      let name = kind.type.className() + "["
      guard line.hasPrefix(name), let end = line.range(of: "]."), kind.keyText(of: 0) == nil else { continue }
      return name + "*" + line[end.lowerBound...]
    }
    return line
  }

  // MARK: Finding

  func find(_ ref: GraphRef, in scope: AccessScope) throws -> (any GraphObject)? {
    switch ref.kind {
    case .person: try scope.object(ofType: GraphPerson.self, forPrimaryKey: GraphPerson.name(of: ref.id))
    case .team: try scope.object(ofType: GraphTeam.self, forPrimaryKey: GraphTeam.id(of: ref.id))
    case .city: try scope.object(ofType: GraphCity.self, forPrimaryKey: GraphCity.key(of: ref.id))
    case .note: scope.objects(GraphNote.self).where { $0.mark == ref.id }.first
    }
  }

  /// A copy that belongs to no scope.
  func copy(_ ref: GraphRef) -> (any GraphObject)? {
    switch ref.kind {
    case .person: repository.object(ofType: GraphPerson.self, forPrimaryKey: GraphPerson.name(of: ref.id))
    case .team: repository.object(ofType: GraphTeam.self, forPrimaryKey: GraphTeam.id(of: ref.id))
    case .city: repository.object(ofType: GraphCity.self, forPrimaryKey: GraphCity.key(of: ref.id))
    case .note: repository.store().objects(GraphNote.self).where { $0.mark == ref.id }.first
    }
  }
}
