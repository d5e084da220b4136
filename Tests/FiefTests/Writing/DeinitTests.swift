import Fief
import FiefTesting
import Foundation
import Testing

final class NoisyItem: Object {
  @Persisted(primaryKey: true) var id = 0
  nonisolated(unsafe) static var onDeinit: (() -> Void)?
  deinit { Self.onDeinit?() }
}

private struct NoisyRepository: DatabaseConfigurable {
  var identifier = UUID().uuidString
  var realmMemoryType: RealmMemoryType { .inMemory(identifier: identifier) }
  var schemaName: String? { "noisy" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [NoisyItem.self, LiveItem.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}

// The tests share the handlers of their classes.
@Suite(.serialized) struct DeinitTests {
  @Test(
    "an object may look at its store when it goes, also in a write"
  )
  func lookingUpWhileGoing() throws {
    let repository = NoisyRepository()
    defer { repository.close() }
    try repository.store().write { transaction in
      let item = LiveItem()
      item.id = 1
      try transaction.add(item)
      for id in 0..<3000 {
        let object = NoisyItem()
        object.id = id
        try transaction.add(object)
      }
    }
    nonisolated(unsafe) var found = 0
    NoisyItem.onDeinit = {
      if repository.object(ofType: LiveItem.self, forPrimaryKey: 1) != nil { found += 1 }
    }
    defer { NoisyItem.onDeinit = nil }
    try repository.store().write { transaction in
      for id in 0..<3000 { _ = try transaction.object(ofType: NoisyItem.self, forPrimaryKey: id) }
    }
    #expect(found == 3000)
  }

  @Test("an object may look at its store when it goes, after a rollback and after a deletion")
  func lookingUpAfterDeletion() throws {
    struct Undone: Error {}
    let repository = NoisyRepository()
    defer { repository.close() }
    try repository.store().write { transaction in
      let item = LiveItem()
      item.id = 1
      try transaction.add(item)
      for id in 0..<200 {
        let object = NoisyItem()
        object.id = id
        try transaction.add(object)
      }
    }
    nonisolated(unsafe) var found = 0
    NoisyItem.onDeinit = {
      if repository.object(ofType: LiveItem.self, forPrimaryKey: 1) != nil { found += 1 }
    }
    defer { NoisyItem.onDeinit = nil }
    func deleteHalf(thenThrow error: (any Error)?) throws {
      try repository.store().write { transaction in
        for id in 0..<100 {
          try transaction.delete(
            try #require(try transaction.object(ofType: NoisyItem.self, forPrimaryKey: id))
          )
          let object = NoisyItem()
          object.id = 1000 + id
          try transaction.add(object)
        }
        #expect(try transaction.count(NoisyItem.self) == 200)
        if let error { throw error }
      }
    }
    #expect(throws: Undone.self) { try deleteHalf(thenThrow: Undone()) }
    let undone = found
    #expect(undone > 0)
    let ids = try repository.read { try $0.objects(NoisyItem.self).all().map(\.id) }
    #expect(Set(ids) == Set(0..<200))
    try deleteHalf(thenThrow: nil)
    #expect(found > undone)
    #expect(try repository.read { try $0.count(NoisyItem.self) } == 200)
    NoisyItem.onDeinit = nil
    #expect(try repository.check().problems.isEmpty)
  }

  final class TellingItem: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
    static let told = Lock<[String]>([])

    deinit {
      let line = "\(text), \(description.contains("first"))"
      Self.told.withLock { $0.append(line) }
    }
  }

  @Test("an object that is read in its deinit shows its values, also in a write")
  func readingWhileGoing() throws {
    for kind in StoreKind.allCases {
      let fixture = try StoreFixture(TestRepository(objectTypes: [TellingItem.self]), kind)
      try fixture.saveAndWait(entity: TellingItem(value: ["id": 1, "text": "first"] as [String: Any]))
      var held = try fixture.store().fetchObject(ofType: TellingItem.self, forPrimaryKey: 1)
      #expect(held?.text == "first")
      TellingItem.told.withLock { $0 = [] }
      try fixture.write { _ in held = nil }
      #expect(TellingItem.told.withLock { $0 } == ["first, true"])
      fixture.closeChecked()
    }
  }

  final class AssigningItem: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""

    deinit { if text == "first", !isFrozen { text = "gone" } }
  }

  @Test("an object that assigns a property in its deinit does not join a write, not even after its failure")
  func assigningWhileGoing() throws {
    for kind in StoreKind.allCases {
      let fixture = try StoreFixture(TestRepository(objectTypes: [AssigningItem.self]), kind)
      try fixture.saveAndWait(entity: AssigningItem(value: ["id": 1, "text": "first"] as [String: Any]))
      func fetched() throws -> AssigningItem? {
        try fixture.store().fetchObject(ofType: AssigningItem.self, forPrimaryKey: 1)
      }
      let frozen = try #require(try fetched()).freeze()
      var held = try fetched()
      #expect(held?.text == "first")
      try fixture.write { _ in held = nil }
      held = try fetched()
      #expect(held?.text == "first")
      let error = #expect(throws: FiefError.self) {
        try fixture.write { _ in
          frozen.text = "refused"
          held = nil
        }
      }
      #expect(error?.code == .invalidValue && held == nil && frozen.text == "first")
      #expect(try fetched()?.text == "first")
      fixture.closeChecked()
    }
  }

  final class OpeningItem: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var other: OpenedItem?
    static let kind = Lock<StoreKind?>(nil)
    static let seen = Lock<[String]>([])

    required init() {
      super.init()
      guard let kind = Self.kind.withLock({ $0 }) else { return }
      let text = description
      let repository = TestRepository(objectTypes: [OpeningItem.self, OpenedItem.self])
      do {
        let fixture = try StoreFixture(repository, kind)
        defer { fixture.closeChecked() }
        let found = try fixture.store().fetchObject(ofType: OpenedItem.self, forPrimaryKey: 1)
        Self.seen.withLock { $0.append(found == nil ? text : "found") }
      } catch {
        Self.seen.withLock { $0.append("\(error)") }
      }
    }
  }

  final class OpenedItem: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(originProperty: "other") var openers: LinkingObjects<OpeningItem>
  }

  @Test("an init() that opens its store at the first use of the class gets an error")
  func openingWhileComing() throws {
    OpeningItem.kind.withLock { $0 = .inMemory }
    _ = OpeningItem()
    OpeningItem.kind.withLock { $0 = nil }
    let seen = OpeningItem.seen.withLock { $0 }
    #expect(seen.contains { $0.contains("open the store earlier, or outside init()") })
    for kind in StoreKind.allCases {
      let fixture = try StoreFixture(TestRepository(objectTypes: [OpeningItem.self, OpenedItem.self]), kind)
      let opener = OpeningItem(value: ["id": 1, "other": ["id": 2]] as [String: Any])
      try fixture.saveAndWait(entity: opener)
      let opened = try fixture.store().fetchObject(ofType: OpenedItem.self, forPrimaryKey: 2)
      #expect(opened?.openers.map(\.id) == [1])
      #expect(opener.description.contains("id"))
      fixture.closeChecked()
    }
  }

  final class CuriousItem: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
    nonisolated(unsafe) static var onInit: (() -> Void)?

    required init() {
      super.init()
      Self.onInit?()
    }
  }

  private struct CuriousRepository: DatabaseConfigurable {
    var identifier = UUID().uuidString
    var realmMemoryType: RealmMemoryType { .inMemory(identifier: identifier) }
    var schemaName: String? { "curious" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [CuriousItem.self, LiveItem.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  @Test("an object may look at its store when it is made, also in a write with changes that wait")
  func lookingUpWhileComing() throws {
    let repository = CuriousRepository()
    defer { repository.close() }
    let text = String(repeating: "x", count: 200)
    try repository.store().write { transaction in
      for id in 0..<400 {
        let object = CuriousItem()
        object.id = id
        object.text = text
        try transaction.add(object)
        let item = LiveItem()
        item.id = id
        try transaction.add(item)
      }
    }
    // A look-up that finds nothing would write what waits.
    CuriousItem.onInit = { _ = repository.object(ofType: LiveItem.self, forPrimaryKey: -1) }
    defer { CuriousItem.onInit = nil }
    try repository.store().write { transaction in
      for id in 0..<400 {
        let object = try #require(try transaction.object(ofType: CuriousItem.self, forPrimaryKey: id))
        #expect(object.id == id && object.text == text)
        object.text += "y"
      }
      for object in try transaction.objects(CuriousItem.self).all() { object.text += "z" }
    }
    CuriousItem.onInit = nil
    let texts = try repository.read { try $0.objects(CuriousItem.self).all().map(\.text) }
    #expect(texts == [String](repeating: text + "yz", count: 400))
    #expect(try repository.check().problems.isEmpty)
  }
}
