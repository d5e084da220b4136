import Fief
import Foundation

/// Does the same to a store and to the model, and compares.
package final class GraphDriver {
  /// A difference from the model.
  struct Wrong: Error, CustomStringConvertible {
    let description: String
    /// The code of the library's error that is in the text; nil where there is none.
    let code: FiefError.Code?

    /// How the text of what the checker has found begins.
    static let checker = "the checker: "
    var isOfChecker: Bool { description.hasPrefix(Self.checker) }

    init(_ text: String, _ code: FiefError.Code? = nil) {
      description = text
      self.code = code
    }
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
    /// Steps in which a call failed, and those of them whose write was done all the same, was refused, or may be done.
    package var faults = 0
    package var faultsInDone = 0
    package var faultsInFailed = 0
    package var unknown = 0
    package var reopened = 0
    /// Stores that could not be read after a failure before a write had opened them again.
    package var healed = 0
    /// Differences after a read that can throw nothing had failed, which were gone once the store was opened again.
    package var unread = 0
    /// Runs that end early, since a write was made of what such a read has left out.
    package var unreadWrites = 0
    /// Copies that were used after a write, collections of them that could not be read, and saves that were refused for that.
    package var copies = 0
    package var staleReads = 0
    package var staleSaves = 0
    /// Copies that were compared after the rollback of a write that they had joined.
    package var rolledBack = 0
    /// The most entries that the tree of large collections had when the checker looked.
    package var large = 0
  }

  let repository: GraphRepository
  var model = GraphModel()
  package internal(set) var tally = Tally()
  private var steps = 0
  /// The end of the last write of the step.
  var attempt: Attempt?
  /// The reads that could throw nothing and had failed by the end of that write.
  var unreadInWrite: [String] = []
  /// The copies that the step's write uses instead of looking the objects up.
  var held: [GraphRef: any GraphObject] = [:]
  /// The last call that failed, and what the write ended with; empty where there was none.
  package internal(set) var lastFault = ""

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
    case .outlive(let refs, let changes, let survival): try outlive(refs, changes, survival)
    case .hold(let holding): try hold(holding)
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

  /// The end of a write, with the state that it leaves by the model.
  enum Attempt {
    case done(GraphModel, isExpected: Bool)
    /// It has thrown an error; the state is what it would have left.
    case failed(any Error, GraphModel, isExpected: Bool)
  }

  /// Runs what has to end as expected; the model becomes `after` if that is to be done.
  func run(_ expected: Expectation, _ after: GraphModel, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      unreadInWrite = repository.failures.all
      attempt = .failed(error, after, isExpected: false)
      try expect(error, expected)
      attempt = .failed(error, after, isExpected: true)
      model.touchAll(of: after)
      return
    }
    unreadInWrite = repository.failures.all
    attempt = .done(after, isExpected: expected == .done)
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
    if !held.isEmpty, scope is WriteTransaction, let copy = held[ref] { return copy }
    return switch ref.kind {
    case .person: try scope.object(ofType: GraphPerson.self, forPrimaryKey: GraphPerson.name(of: ref.id))
    case .team: try scope.object(ofType: GraphTeam.self, forPrimaryKey: GraphTeam.id(of: ref.id))
    case .city: try scope.object(ofType: GraphCity.self, forPrimaryKey: GraphCity.key(of: ref.id))
    case .note: scope.objects(GraphNote.self).where { $0.mark == ref.id }.first
    }
  }

  /// A copy that belongs to no scope.
  func copy(_ ref: GraphRef) throws -> (any GraphObject)? {
    switch ref.kind {
    case .person:
      try repository.fetchObject(ofType: GraphPerson.self, forPrimaryKey: GraphPerson.name(of: ref.id))
    case .team: try repository.fetchObject(ofType: GraphTeam.self, forPrimaryKey: GraphTeam.id(of: ref.id))
    case .city: try repository.fetchObject(ofType: GraphCity.self, forPrimaryKey: GraphCity.key(of: ref.id))
    case .note: try repository.objects(GraphNote.self).where { $0.mark == ref.id }.fetchFirst()
    }
  }
}
