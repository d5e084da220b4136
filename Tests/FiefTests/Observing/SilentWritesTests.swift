import Dispatch
import Fief
import Foundation
import Testing

@testable import FiefCore
@testable import FiefObserving

/// Notifications of an observer whose own writes come together with those of others.
@Suite(.timeLimit(.minutes(20))) struct SilentWritesTests {
  /// An observer whose queue stands still while others write.
  private final class Held: Sendable {
    let queue = DispatchQueue(label: "held")
    let calls = Lock<[String]>([])

    func note<Collection>(_ change: RealmCollectionChange<Collection>) {
      switch change {
      case .initial: break
      case .update(_, let deletions, let insertions, let modifications):
        calls.withLock { $0.append("-\(deletions) +\(insertions) ~\(modifications)") }
      case .error(let error): calls.withLock { $0.append("\(error)") }
      }
    }

    /// The notifications of writes that were made while the queue stood still.
    func heard(_ repository: TrackedRepository, _ body: () throws -> Void) throws -> [String] {
      calls.withLock { $0 = [] }
      queue.suspend()
      do {
        defer { queue.resume() }
        try body()
      }
      try repository.delivered()
      return calls.withLock { $0 }
    }
  }

  private static func change(
    _ repository: TrackedRepository,
    _ id: Int,
    silent: [NotificationToken] = [],
    _ body: (TrackedDog) throws -> Void
  ) throws {
    try repository.write(withoutNotifying: silent) { (tx: WriteTransaction) in
      try body(try #require(try tx.object(ofType: TrackedDog.self, forPrimaryKey: id)))
    }
  }

  private static func fill(_ repository: TrackedRepository, _ count: Int = 4) throws {
    try repository.write { tx in
      for id in 0..<count { try tx.create(TrackedDog.self, value: ["id": id, "rank": id]) }
    }
  }

  private struct Write: Sendable {
    let silent: [NotificationToken]
    let body: @Sendable (WriteTransaction) throws -> Void

    static func change(
      _ id: Int,
      _ silent: [NotificationToken] = [],
      _ body: @escaping @Sendable (TrackedDog) -> Void
    ) -> Write {
      Write(silent: silent) { body(try #require(try $0.object(ofType: TrackedDog.self, forPrimaryKey: id))) }
    }

    static func create(_ id: Int, _ silent: [NotificationToken] = []) -> Write {
      Write(silent: silent) { try $0.create(TrackedDog.self, value: ["id": id]) }
    }

    static func delete(_ id: Int, _ silent: [NotificationToken] = []) -> Write {
      Write(silent: silent) {
        try $0.delete(try #require(try $0.object(ofType: TrackedDog.self, forPrimaryKey: id)))
      }
    }
  }

  /// Writes in the order of the queue.
  private static func together(
    _ repository: TrackedRepository,
    _ writes: [Write]
  ) async throws {
    try repository.store().pauseWrites()
    var tasks: [Task<Void, any Error>] = []
    for write in writes {
      let count = tasks.count
      tasks.append(
        Task { try await repository.store().write(withoutNotifying: write.silent) { try write.body($0) } }
      )
      while try repository.store().writeQueueStatistics().pending <= count { await Task.yield() }
    }
    try repository.store().resumeWrites()
    for task in tasks { try await task.value }
    try repository.delivered()
  }

  @Test(arguments: [false, true]) func rowsThatOthersChangedTooAreReported(inMemory: Bool) throws {
    try TrackedRepository.with(inMemory: inMemory) { repository in
      try Self.fill(repository)
      let held = Held()
      let token = repository.dogs.observe(on: held.queue) { held.note($0) }
      try repository.delivered()
      // The notifier has evaluated the first write when the second one comes.
      let modified = try held.heard(repository) {
        try Self.change(repository, 1) { $0.name = "other" }
        usleep(20_000)
        try Self.change(repository, 1, silent: [token]) { $0.rank = 9 }
      }
      #expect(modified == ["-[] +[] ~[1]"])
      let inserted = try held.heard(repository) {
        try repository.write { try $0.create(TrackedDog.self, value: ["id": 7]) }
        usleep(20_000)
        try Self.change(repository, 7, silent: [token]) { $0.rank = 9 }
      }
      #expect(inserted == ["-[] +[4] ~[]"])
      // The rows are some that the observer has inserted itself.
      let own = try held.heard(repository) {
        try Self.change(repository, 0) { $0.name = "other" }
        usleep(20_000)
        try repository.write(withoutNotifying: [token]) { (tx: WriteTransaction) in
          try tx.create(TrackedDog.self, value: ["id": 8])
        }
        try Self.change(repository, 8) { $0.rank = 9 }
      }
      #expect(own == ["-[] +[] ~[0, 5]"])
      withExtendedLifetime(token) {}
    }
  }

  @Test(arguments: [false, true]) func theSameWhereTheyAreOneAfterAnotherInTheQueue(inMemory: Bool)
    async throws
  {
    let directory = try TemporaryDirectory()
    let repository = TrackedRepository(
      realmMemoryType: inMemory ? .inMemory(identifier: directory.path) : .inStorage,
      directory: directory.path
    )
    try Self.fill(repository)
    let held = Held()
    let token = repository.dogs.observe(on: held.queue) { held.note($0) }
    let properties = Lock<[[String]]>([])
    let one = repository.dog(1)?.observe { change in
      if case .change(_, let changed) = change { properties.withLock { $0.append(changed.map(\.name)) } }
    }
    let changes = Lock<[Set<Int>]>([])
    let all = try repository.store().observe { change in
      let keys = change[TrackedDog.self].modified.union(change[TrackedDog.self].inserted)
      changes.withLock { $0.append(Set((0..<20).filter { keys.contains(ObjectKey(rowID: Int64($0))) })) }
    }
    try repository.delivered()
    let silent = [token, try #require(one), all]
    try await Self.together(
      repository,
      [
        .change(1) { $0.name = "other" }, .change(1, silent) { $0.rank = 9 },
        .change(2, silent) { $0.rank = 9 },
        .create(7), .change(7, silent) { $0.rank = 9 }, .create(8, silent), .change(8) { $0.rank = 9 },
        .change(3) { $0.rank = 9 }, .delete(3, silent),
      ]
    )
    // However many calls they come in.
    let calls = held.calls.withLock { $0 }
    #expect(
      calls.allSatisfy { $0.hasPrefix("-[] ") } && calls.count { !$0.contains(" +[] ") } == 1,
      "\(calls)"
    )
    #expect(properties.withLock { $0 } == [["name"]])
    #expect(changes.withLock { $0 }.reduce(into: []) { $0.formUnion($1) } == [1, 3, 7, 8])
    withExtendedLifetime((token, one, all)) {}
    repository.closeChecked()
  }

  @Test(arguments: [false, true]) func listsThatOthersChangedTooAreReported(inMemory: Bool) throws {
    try TrackedRepository.with(inMemory: inMemory) { repository in
      try Self.fill(repository)
      try Self.change(repository, 0) { $0.scores.append(objectsIn: [1, 1]) }
      let (scores, friends, ratings) = (Held(), Held(), Held())
      let owner = try #require(repository.dog(0))
      let tokens = [
        owner.scores.observe(on: scores.queue) { scores.note($0) },
        owner.friends.observe(on: friends.queue) { friends.note($0) },
        owner.ratings.observe(on: ratings.queue) { change in
          if case .update(_, let gone, let new, let changed) = change {
            ratings.calls.withLock { $0.append("-\(gone) +\(new) ~\(changed)") }
          }
        },
      ]
      try repository.delivered()
      for pause: UInt32 in [0, 20_000] {
        // Another property of the object that has the list.
        let other = try scores.heard(repository) {
          try Self.change(repository, 0) { $0.scores.append(1) }
          usleep(pause)
          try Self.change(repository, 0, silent: tokens) { $0.rank += 1 }
        }
        #expect(other == ["-[] +[\(pause == 0 ? 2 : 3)] ~[]"])
      }
      // The same list, which the notifier has evaluated in between.
      let same = try scores.heard(repository) {
        try Self.change(repository, 0) { $0.scores.append(1) }
        usleep(20_000)
        try Self.change(repository, 0, silent: tokens) { $0.scores.insert(1, at: 0) }
      }
      #expect(same.count == 1 && same.first?.hasPrefix("-[] +[") == true)
      let own = try friends.heard(repository) {
        try Self.change(repository, 0, silent: tokens) { dog in
          dog.friends.append(objectsIn: try [1, 2, 1].map { try #require(repository.dog($0)) })
        }
      }
      #expect(own == [])
      let moved = try friends.heard(repository) {
        try Self.change(repository, 2) { $0.rank = 99 }
        usleep(20_000)
        try Self.change(repository, 0, silent: tokens) { $0.friends.move(from: 1, to: 2) }
      }
      #expect(moved == ["-[] +[] ~[2]"])
      let rated = try ratings.heard(repository) {
        try Self.change(repository, 0) { $0.ratings["a"] = 1 }
        usleep(20_000)
        try Self.change(repository, 0, silent: tokens) { $0.ratings["b"] = 2 }
      }
      #expect(rated == ["-[] +[\"a\"] ~[]"])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test(arguments: [false, true]) func whatAnOwnWriteDoesToOtherRowsIsSilentToo(inMemory: Bool) throws {
    try TrackedRepository.with(inMemory: inMemory) { repository in
      try Self.fill(repository)
      try repository.write { tx in try tx.create(TrackedHouse.self, value: ["id": 1, "label": "a"]) }
      try Self.change(repository, 1) {
        $0.house = repository.store().object(ofType: TrackedHouse.self, forPrimaryKey: 1)
      }
      let held = Held()
      let token = repository.dogs.filter("house.label == 'b'").observe(on: held.queue) { held.note($0) }
      try repository.delivered()
      let own = try held.heard(repository) {
        try repository.write(withoutNotifying: [token]) { (tx: WriteTransaction) in
          try tx.object(ofType: TrackedHouse.self, forPrimaryKey: 1)?.label = "b"
        }
      }
      #expect(own == [])
      let other = try held.heard(repository) { try Self.change(repository, 1) { $0.name = "x" } }
      #expect(other == ["-[] +[] ~[0]"])
      withExtendedLifetime(token) {}
    }
  }

  @Test func aLargeOwnWriteIsSilentToo() throws {
    try TrackedRepository.with(inMemory: true) { repository in
      let held = Held()
      let token = repository.store().objects(TrackedHouse.self).observe(on: held.queue) { held.note($0) }
      try repository.delivered()
      let own = try held.heard(repository) {
        try repository.write(withoutNotifying: [token]) { (tx: WriteTransaction) in
          // More changes than a store keeps for an observation.
          let houses = (0..<66_000).map { (id: Int) -> TrackedHouse in
            let house = TrackedHouse()
            house.id = id
            return house
          }
          try tx.add(houses)
        }
      }
      #expect(own == [])
      let other = try held.heard(repository) {
        try repository.write { try $0.object(ofType: TrackedHouse.self, forPrimaryKey: 3)?.label = "x" }
      }
      #expect(other == ["-[] +[] ~[3]"])
      withExtendedLifetime(token) {}
    }
  }
}
