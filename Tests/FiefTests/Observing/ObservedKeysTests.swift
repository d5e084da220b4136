import Fief
import FiefStress
import Foundation
import Testing

@testable import FiefCore

final class ObsTag: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var count = 0

  convenience init(_ name: String, count: Int) {
    self.init()
    self.name = name
    self.count = count
  }
}

struct ObsTagRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var schemaName: String? { "tags" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [ObsTag.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }
}

/// Results whose objects the condition names: changes of others are not evaluated.
@Suite(.timeLimit(.minutes(20))) struct ObservedKeysTests {
  @Test func onlyTheNamedObjectsAreLookedAt() throws {
    try ObsRepository.forBoth { repository in
      try repository.put((1...20).map { ObsDog($0, "Dog", age: $0) })
      let (one, some, missing) = (ObsHeard(), ObsHeard(), ObsHeard())
      let tokens = [
        repository.dogs.where { $0.id == 7 }.observe { one.note($0) },
        repository.dogs.where { $0.id.in([3, 7, 40]) && $0.age < 50 }.sorted(byKeyPath: "age")
          .observe { some.note($0) },
        repository.dogs.where { $0.id == 30 }.observe { missing.note($0) },
      ]
      try repository.delivered()
      let hub = try repository.store().core().hub
      let before = hub.evaluations
      try repository.change(8) { $0.age = 1 }
      try repository.put([ObsDog(50, "New")])
      try repository.delivered()
      #expect(hub.evaluations == before)
      try repository.change(7) { $0.age = 1 }
      try repository.delivered()
      try repository.put([ObsDog(30, "Thirty"), ObsDog(40, "Forty", age: 2)])
      try repository.delivered()
      try repository.write { transaction in
        try transaction.delete(
          try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 7))
        )
      }
      try repository.delivered()
      #expect(one.calls == ["initial 1", "-[] +[] ~[0]", "-[0] +[] ~[]"])
      #expect(some.calls == ["initial 2", "-[1] +[0] ~[]", "-[] +[1] ~[]", "-[0] +[] ~[]"])
      #expect(missing.calls == ["initial 0", "-[] +[0] ~[]"])
      #expect(one.wrong + some.wrong + missing.wrong == [])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func anotherObjectMattersWhereALinkIsWatched() throws {
    try ObsRepository.forBoth { repository in
      let dog = ObsDog(1, "Rex")
      dog.owner = ObsOwner(1, "Ann")
      try repository.put([dog])
      let heard = ObsHeard()
      let token = repository.dogs.where { $0.id == 1 }.observe(keyPaths: ["owner.name"]) { heard.note($0) }
      try repository.delivered()
      try repository.write { transaction in
        try #require(try transaction.object(ofType: ObsOwner.self, forPrimaryKey: 1)).name = "Ben"
      }
      try repository.delivered()
      #expect(heard.calls == ["initial 1", "-[] +[] ~[0]"])
      withExtendedLifetime(token) {}
    }
  }

  @Test(arguments: ["a", "a longer name, with spaces in it", "\0", "å", String(repeating: "x", count: 300)])
  func textsAreKeysToo(_ name: String) throws {
    let directory = try TemporaryDirectory()
    for memory in [RealmMemoryType.inStorage, .inMemory(identifier: UUID().uuidString)] {
      let repository = ObsTagRepository(realmMemoryType: memory, directory: directory.path)
      try repository.write { try $0.add(ObsTag(name, count: 1)) }
      let counts = Lock<[Int]>([])
      let token = repository.store().objects(ObsTag.self).where { $0.name == name }.observe { change in
        switch change {
        case .initial(let tags), .update(let tags, _, _, _):
          counts.withLock { $0.append(tags.first?.count ?? 0) }
        case .error: counts.withLock { $0.append(-1) }
        }
      }
      try repository.store().waitUntilDelivered()
      try repository.write { try $0.object(ofType: ObsTag.self, forPrimaryKey: name)?.count = 2 }
      try repository.store().waitUntilDelivered()
      #expect(counts.withLock { $0 } == [1, 2])
      token.invalidate()
      repository.closeChecked()
    }
  }
}
