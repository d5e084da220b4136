import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

private enum Newer {
  enum State: String, PersistableEnum, Codable { case open, closed, merged }
  enum Level: Int, PersistableEnum, Codable { case low = 1, high = 2, urgent = 90_000 }

  final class CodedTicket: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var state = State.open
    @Persisted var level = Level.low
    @Persisted var former: State?
    @Persisted var formerLevel: Level?
    @Persisted var detail: CodedDetail?
    @Persisted var details: List<CodedDetail>
  }

  final class CodedDetail: EmbeddedObject {
    @Persisted var level = Level.low
    @Persisted var parts: List<CodedPart>
  }

  final class CodedPart: EmbeddedObject {
    @Persisted var state: State?
  }
}

private enum Older {
  enum State: String, PersistableEnum, Codable { case open, closed }
  enum Level: Int, PersistableEnum, Codable { case low = 1, high = 2 }

  final class CodedTicket: Object, Codable {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var state = State.open
    @Persisted var level = Level.low
    @Persisted var former: State?
    @Persisted var formerLevel: Level?
    @Persisted var detail: CodedDetail?
    @Persisted var details: List<CodedDetail>
  }

  final class CodedDetail: EmbeddedObject, Codable {
    @Persisted var level = Level.low
    @Persisted var parts: List<CodedPart>
  }

  final class CodedPart: EmbeddedObject, Codable {
    @Persisted var state: State?
  }
}

private enum Letter: String, PersistableEnum, Codable { case a, b }

private final class CodedLetter: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var letter = Letter.a
}

/// The same to the store, with texts in place of the enumeration.
private enum Texts {
  final class CodedLetter: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var letter = ""
  }
}

/// The JSON of raw values that no case has.
@Suite struct UnknownCodingTests {
  private static let newer: [EmbeddedObject.Type] = [Newer.CodedDetail.self, Newer.CodedPart.self]
  private static let older: [EmbeddedObject.Type] = [Older.CodedDetail.self, Older.CodedPart.self]

  private func repository(
    _ place: String,
    _ inMemory: Bool,
    _ type: Object.Type,
    _ embedded: [EmbeddedObject.Type] = []
  ) -> TestRepository {
    var options = StoreOptions()
    options.eventHandler = { _ in }
    return TestRepository(
      "coded",
      in: inMemory ? nil : place,
      memoryType: inMemory ? .inMemory(identifier: place) : .inStorage,
      version: 1,
      objectTypes: [type],
      embedded: embedded,
      options: options
    )
  }

  private func with(
    _ inMemory: Bool,
    _ body: (_ older: TestRepository, _ newer: TestRepository) throws -> Void
  ) throws {
    let directory = try TemporaryDirectory()
    let newer = repository(directory.path, inMemory, Newer.CodedTicket.self, Self.newer)
    defer { newer.closeChecked() }
    try newer.write { tx in
      for id in 0..<2 {
        let ticket = try tx.create(Newer.CodedTicket.self, value: ["id": id])
        (ticket.state, ticket.level) = (.merged, .urgent)
        (ticket.former, ticket.formerLevel) = (.merged, .urgent)
        ticket.detail = Newer.CodedDetail(value: ["level": Newer.Level.urgent])
        for level in [Newer.Level.urgent, .low] {
          let detail = Newer.CodedDetail(value: ["level": level])
          detail.parts.append(Newer.CodedPart(value: ["state": Newer.State.merged]))
          ticket.details.append(detail)
        }
      }
    }
    try body(repository(directory.path, inMemory, Older.CodedTicket.self, Self.older), newer)
  }

  private func json(_ value: some Encodable) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: try JSONEncoder().encode(value)) as? NSDictionary)
  }

  private static var expected: NSDictionary {
    [
      "id": 0, "state": "merged", "level": 90_000, "former": "merged", "formerLevel": 90_000,
      "detail": ["level": 90_000, "parts": [Any]()] as [String: Any],
      "details": [
        ["level": 90_000, "parts": [["state": "merged"]]] as [String: Any],
        ["level": 1, "parts": [["state": "merged"]]] as [String: Any],
      ],
    ]
  }

  @Test(arguments: [true, false]) func theStoredRawValueIsEncoded(inMemory: Bool) throws {
    try with(inMemory) { older, _ in
      let ticket = try #require(try older.fetchObject(ofType: Older.CodedTicket.self, forPrimaryKey: 0))
      #expect(try json(ticket) == Self.expected)
      // Reading does not change it, and neither do copies.
      #expect(ticket.state == .open && ticket.former == nil && ticket.level == .low)
      #expect(try json(ticket) == Self.expected)
      #expect(try json(ticket.detached()) == Self.expected)
      try older.read { snapshot in
        let ticket = try #require(try snapshot.object(ofType: Older.CodedTicket.self, forPrimaryKey: 0))
        #expect(try json(ticket) == Self.expected)
      }
      try older.write { tx in
        let ticket = try #require(try tx.object(ofType: Older.CodedTicket.self, forPrimaryKey: 0))
        #expect(try json(ticket) == Self.expected)
      }
    }
  }

  @Test(arguments: [true, false]) func anAssignedValueIsEncoded(inMemory: Bool) throws {
    try with(inMemory) { older, newer in
      let ticket = try #require(try older.fetchObject(ofType: Older.CodedTicket.self, forPrimaryKey: 1))
      ticket.state = .closed
      ticket.formerLevel = nil
      let document = try json(ticket)
      #expect(document["state"] as? String == "closed" && document["level"] as? Int == 90_000)
      #expect(document["formerLevel"] is NSNull || document["formerLevel"] == nil)
      try older.saveAndWait(entity: ticket)
      let stored = try #require(try newer.fetchObject(ofType: Newer.CodedTicket.self, forPrimaryKey: 1))
      #expect(stored.state == .closed && stored.level == .urgent && stored.former == .merged)
      let read = try #require(try older.fetchObject(ofType: Older.CodedTicket.self, forPrimaryKey: 1))
      #expect(try json(read)["state"] as? String == "closed")
    }
  }

  @Test(arguments: [true, false]) func theCheckerFindsThemInEmbeddedObjects(inMemory: Bool) throws {
    // The classes of the first opening are the checker's.
    let directory = try TemporaryDirectory()
    let newer = repository(directory.path, inMemory, Newer.CodedTicket.self, Self.newer)
    let older = repository(directory.path, inMemory, Older.CodedTicket.self, Self.older)
    try older.open()
    try newer.write { tx in
      let ticket = try tx.create(Newer.CodedTicket.self, value: ["id": 1])
      ticket.detail = Newer.CodedDetail(value: ["level": Newer.Level.urgent])
      for _ in 0..<3 {
        let detail = Newer.CodedDetail(value: ["level": Newer.Level.high])
        detail.parts.append(Newer.CodedPart(value: ["state": Newer.State.merged]))
        ticket.details.append(detail)
      }
    }
    #expect(
      try older.check().unknownValues.sorted() == [
        "CodedDetail.level: 1 object", "CodedPart.state: 3 objects",
      ]
    )
    older.closeChecked()
  }

  /// A program that knows very few of the cases: what has no number is an error, never another value.
  @Test(arguments: [true, false]) func manyUnknownRawValues(inMemory: Bool) throws {
    let directory = try TemporaryDirectory()
    let texts = repository(directory.path, inMemory, Texts.CodedLetter.self)
    let letters = repository(directory.path, inMemory, CodedLetter.self)
    defer { letters.closeChecked() }
    try letters.open()
    try texts.write { tx in
      for id in 0..<40 {
        try tx.create(Texts.CodedLetter.self, value: ["id": id, "letter": "unknown \(id)"])
      }
    }
    var encoded = 0
    for object in try letters.objects(CodedLetter.self).all() {
      guard let document = try? json(object) else { continue }
      encoded += 1
      #expect(document["letter"] as? String == "unknown \(object.id)")
    }
    #expect(encoded == 15)
    let last = try #require(try letters.fetchObject(ofType: CodedLetter.self, forPrimaryKey: 39))
    #expect(throws: EncodingError.self) { try json(last) }
    last.letter = .b
    #expect(try json(last)["letter"] as? String == "b")
  }
}
