import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore
@testable import FiefObserving

/// A follower of a person, and the changes that it has not seen.
final class FollowedObject {
  private let repository: FollowedRepository
  private let core: StoreCore
  let follower: ObjectFollower
  private var pending = PendingChanges()

  init(_ repository: FollowedRepository, _ id: Int, _ watched: [QueryPath]? = nil) throws {
    self.repository = repository
    core = try repository.store().core()
    follower = try ObjectFollower(
      repository.key(id),
      ofType: "FollowedPerson",
      watched: watched,
      tables: core.tables,
      names: core.queryNames
    )
    try core.read { try follower.start(at: state($0)) }
  }

  private func state(_ transaction: LMDB.Transaction) -> ObservedState {
    ObservedState(tables: core.tables, transaction: transaction, memory: 1 << 20)
  }

  func note(_ changes: ChangeSet) {
    pending.append(changes, limit: 1 << 20)
  }

  func commit(
    isSilent: Bool = false,
    _ body: (Fief.WriteTransaction, (Int) throws -> FollowedPerson) throws -> Void
  ) throws {
    if isSilent { _ = try advance() }
    let changes = try repository.changes { try repository.write(body) }
    guard isSilent else { return note(changes) }
    _ = try core.read { try follower.advanceSilently(PendingChanges(changes: changes), to: state($0)) }
  }

  /// Lets the follower evaluate the newest state.
  func advance(isUnknown: Bool = false) throws -> Bool {
    if isUnknown { pending = PendingChanges(isUnknown: true) }
    defer { pending = PendingChanges() }
    return try core.read { try follower.advance(pending, to: state($0)) }
  }

  func take() throws -> ObservedObjectChange? { try follower.takeChange() }

  /// The names of the properties that are reported; nil where the object is gone.
  func look(isUnknown: Bool = false) throws -> Set<String>? {
    let hasReport = try advance(isUnknown: isUnknown)
    let change = try take()
    #expect(hasReport == (change != nil))
    switch change {
    case nil: return []
    case .deleted?: return nil
    case .changed(let columns, _, _)?:
      return Set(
        follower.table.entry.columns.filter { columns.contains($0.id) }.map(follower.table.propertyName)
      )
    }
  }

  /// Expects what is reported of a commit. A closure inside of `#expect` may be taken for another one by the compiler.
  func expect(
    _ names: Set<String>,
    isUnknown: Bool = false,
    isSilent: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Fief.WriteTransaction, (Int) throws -> FollowedPerson) throws -> Void
  ) throws {
    try commit(isSilent: isSilent, body)
    let reported = try look(isUnknown: isUnknown)
    #expect(reported == names, sourceLocation: sourceLocation)
  }

  /// The changed properties as an observer gets them.
  func properties() throws -> [PropertyChange] {
    _ = try advance()
    let change = try #require(try take())
    return try repository.read { scope in
      switch try ObjectChange.make(change, of: follower.key, as: FollowedPerson.self, in: scope) {
      case .change(let person, let properties):
        #expect(person.id == 1)
        return properties
      case .deleted, .error: return []
      }
    }
  }
}

extension QueryPath {
  /// A path as a text: `best.named[a].name`.
  static func watched(_ text: String) -> QueryPath {
    var steps: [Step] = []
    for part in text.split(separator: ".") {
      let pieces = part.split(separator: "[")
      steps.append(.property(String(pieces[0])))
      if pieces.count > 1 { steps.append(.mapKey(String(pieces[1].dropLast()))) }
    }
    return QueryPath(steps: steps)
  }
}
