import Fief
import FiefStress
import Foundation
import Testing

@testable import FiefCore

final class FollowedPlace: EmbeddedObject {
  @Persisted var city = ""
  @Persisted var numbers: List<Int>
}

final class FollowedPerson: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var age = 0
  @Persisted var nick: String?
  @Persisted var isActive = false
  @Persisted var score = 0.5
  @Persisted var best: FollowedPerson?
  @Persisted var friends: List<FollowedPerson>
  @Persisted var circle: MutableSet<FollowedPerson>
  @Persisted var named: Map<String, FollowedPerson?>
  @Persisted var tags: MutableSet<String>
  @Persisted var numbers: List<Int>
  @Persisted var ratings: Map<String, Int>
  @Persisted var home: FollowedPlace?
  @Persisted var places: List<FollowedPlace>
  @Persisted(originProperty: "best") var fans: LinkingObjects<FollowedPerson>

  override class func propertiesMapping() -> [String: String] { ["nick": "nickname"] }
}

/// Derived properties, and a rule.
final class FollowedClub: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var members: List<FollowedPerson>
  @Persisted var memberCount = 0
  @Persisted var oldest: Int?
  @Persisted var captain: FollowedPerson?

  override class func derivedProperties() -> [DerivedProperty] {
    [
      DerivedProperty("memberCount", .count(of: "members")),
      DerivedProperty("oldest", .max(of: "members.age")),
    ]
  }
}

/// Nothing that needs the old record when it is written.
final class FollowedNote: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted var count: Int?
}

struct FollowedRepository: DatabaseConfigurable {
  let realmMemoryType: RealmMemoryType
  let directory: String?
  private let files: TemporaryDirectory

  var schemaName: String? { "followed" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [FollowedPerson.self, FollowedClub.self, FollowedNote.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [FollowedPlace.self] }
  var migrationBlock: MigrationBlock? { nil }

  init(inMemory: Bool) throws {
    files = try TemporaryDirectory()
    directory = files.path
    realmMemoryType = inMemory ? .inMemory(identifier: files.path) : .inStorage
  }

  /// The changes of each commit of a closure.
  func commits(_ body: () throws -> Void) throws -> [ChangeSet] {
    let seen = Lock<[ChangeSet]>([])
    let token = try store().onCommit { changes in seen.withLock { $0.append(changes) } }
    defer { token.invalidate() }
    try body()
    return seen.withLock { $0 }
  }

  /// The changes of all commits of a closure together.
  func changes(_ body: () throws -> Void) throws -> ChangeSet {
    var all = ChangeSet()
    for changes in try commits(body) { all.append(changes) }
    return all
  }

  /// Calls a closure in a write with persons by their ids.
  func write(_ body: (WriteTransaction, (Int) throws -> FollowedPerson) throws -> Void) throws {
    try store().write { scope in
      try body(scope) { try #require(try scope.object(ofType: FollowedPerson.self, forPrimaryKey: $0)) }
    }
  }

  func key(_ id: Int) -> ObjectKey { ObjectKey(rowID: Int64(id)) }

  /// Every value that is stored, in one form wherever it is stored.
  func contents() throws -> FollowedContents {
    let core = try store().core()
    return try core.read { try FollowedContents(core.tables, $0) }
  }
}
