import Fief
import Foundation
import Testing

/// An embedded object with a link, which has no backlinks.
final class DanglingPart: EmbeddedObject {
  @Persisted var reader: DanglingReader?
  @Persisted var readers: List<DanglingReader>
}

final class DanglingReader: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(originProperty: "reader") var cards: LinkingObjects<DanglingCard>
  @Persisted(originProperty: "readers") var lists: LinkingObjects<DanglingCard>
  @Persisted(originProperty: "map") var maps: LinkingObjects<DanglingCard>

  override class func relationships() -> [Relationship] {
    [
      Relationship("cards", deleteRule: .noAction), Relationship("lists", deleteRule: .noAction),
      Relationship("maps", deleteRule: .noAction),
    ]
  }
}

final class DanglingCard: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var reader: DanglingReader?
  @Persisted var other: DanglingReader?
  @Persisted var readers: List<DanglingReader>
  @Persisted var map: Map<String, DanglingReader?>
  @Persisted var part: DanglingPart?
  @Persisted var next: DanglingCard?
}

private struct DanglingRepository: DatabaseConfigurable {
  var realmMemoryType = RealmMemoryType.inMemory(identifier: UUID().uuidString)
  var directory: String?
  var schemaName: String? { "dangling" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [DanglingCard.self, DanglingReader.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [DanglingPart.self] }
  var migrationBlock: MigrationBlock? { nil }
}

/// A link that stayed when its object was deleted is nil to readers and to queries.
@Suite(.timeLimit(.minutes(20))) struct DanglingQueryTests {
  private func forBoth(_ body: (DanglingRepository) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    for repository in [
      DanglingRepository(), DanglingRepository(realmMemoryType: .inStorage, directory: directory.path),
    ] {
      try repository.store().write { transaction in
        let readers = (0..<4).map { id in
          let reader = DanglingReader()
          reader.id = id
          return reader
        }
        for id in 0..<8 {
          let card = DanglingCard()
          card.id = id
          // Half of the readers are deleted.
          card.reader = id == 7 ? nil : readers[id % 4]
          card.other = card.reader
          card.readers.append(objectsIn: [readers[id % 4], readers[(id + 1) % 4]])
          card.map["a"] = card.reader
          card.part = DanglingPart()
          card.part?.reader = card.reader
          card.part?.readers.append(objectsIn: [readers[id % 4], readers[(id + 1) % 4]])
          try transaction.add(card)
        }
        for id in 0..<7 {
          let card = try #require(try transaction.object(ofType: DanglingCard.self, forPrimaryKey: id))
          card.next = try transaction.object(ofType: DanglingCard.self, forPrimaryKey: id + 1)
        }
      }
      try repository.store().write {
        try $0.delete(ofType: DanglingReader.self, forPrimaryKeys: [0, 1])
      }
      try body(repository)
      repository.closeChecked()
    }
  }

  @Test func nilIsWhatReadingGives() throws {
    try forBoth { repository in
      let cards = repository.store().objects(DanglingCard.self)
      let all = try cards.all()
      func ids(_ holds: (DanglingCard) -> Bool) -> [Int] { all.filter(holds).map(\.id) }
      let absent = ids { $0.reader == nil }
      let present = ids { $0.reader != nil }
      #expect(absent == [0, 1, 4, 5, 7] && present == [2, 3, 6])
      #expect(cards.where { $0.reader == nil }.map(\.id) == absent)
      #expect(cards.where { $0.reader != nil }.map(\.id) == present)
      #expect(cards.where { !($0.reader == nil) }.map(\.id) == present)
      #expect(cards.filter(#Predicate { $0.reader?.id == nil }).map(\.id) == absent)
      #expect(cards.filter(#Predicate { $0.reader?.id != nil }).map(\.id) == present)
      #expect(cards.filter("nil != reader").map(\.id) == present)
      #expect(
        cards.filter("reader == nil").count == absent.count && cards.filter("reader == nil")[1]?.id == 1
      )
      #expect(cards.filter("other == nil").map(\.id) == ids { $0.other == nil })
      #expect(cards.filter("map['a'] == nil").map(\.id) == ids { ($0.map["a"] ?? nil) == nil })
      #expect(cards.filter("part.reader == nil").map(\.id) == ids { $0.part?.reader == nil })
      #expect(cards.filter("next.reader == nil").map(\.id) == ids { $0.next?.reader == nil })
      #expect(cards.filter("next.reader != nil AND reader != nil").map(\.id) == [2])
      #expect(cards.filter("reader.id == nil").map(\.id) == absent)
      let reader = try #require(repository.store().objects(DanglingReader.self).first)
      let either: [Int] = ids { $0.reader == nil || $0.id % 4 == 2 }
      #expect(cards.filter("reader IN %@", [nil, reader] as [Any?]).map(\.id) == either)
      #expect(cards.filter("NOT reader IN %@", [nil, reader] as [Any?]).map(\.id) == [3])
      try repository.store().write { transaction in
        let cards = transaction.objects(DanglingCard.self)
        #expect(cards.where { $0.reader == nil }.map(\.id) == absent)
        try transaction.delete(ofType: DanglingReader.self, forPrimaryKeys: [2])
        #expect(cards.where { $0.reader == nil }.map(\.id) == [0, 1, 2, 4, 5, 6, 7])
      }
    }
  }

  /// A list keeps the places of links to what is gone: they count, and iteration leaves them out.
  @Test func elementsAreThoseThatReadingGives() throws {
    try forBoth { repository in
      let cards = repository.store().objects(DanglingCard.self)
      for card in try cards.all() {
        func holds(_ text: String, _ argument: Any) -> Bool {
          cards.filter("id == %@ AND " + text, card.id, argument).count == 1
        }
        for (name, list) in [("readers", card.readers), ("part.readers", card.part?.readers ?? List())] {
          let readers = list.map(\.id)
          #expect(holds("\(name).@count == %@", list.count), "\(name) \(card.id)")
          #expect(holds("SUBQUERY(\(name), $r, TRUEPREDICATE).@count == %@", readers.count))
          #expect(holds("\(name).@min.id == %@", readers.min() as Any))
          #expect(holds("ALL \(name).id IN %@", readers))
        }
        #expect(holds("map.@count == %@", card.map.count))
      }
    }
  }

  /// The rest of a link still names the object that it led to.
  @Test func aDeletedObjectIsFoundByItsKey() throws {
    try forBoth { repository in
      let cards = repository.store().objects(DanglingCard.self)
      let deleted = DanglingReader()
      deleted.id = 1
      #expect(cards.where { $0.reader == deleted }.map(\.id) == [1, 5])
      #expect(cards.where { $0.other == deleted }.isEmpty)
    }
  }
}
