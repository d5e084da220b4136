import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import Testing

/// Swift types as values of a tree.
struct CodingTests {
  enum Mood: String, Codable { case calm, busy }

  struct Seat: Codable, Equatable {
    var row: Int
    var isFree = true
  }

  struct Room: Codable, Equatable {
    var title: String
    var mood = Mood.calm
    var price: Double = 2.5
    var small: Float = 0.25
    var numbers: [Int8] = [1, -2]
    var gaps: [String?] = ["a", nil, "c"]
    var seats: [String: Seat] = ["10": Seat(row: 1), "9": Seat(row: 2, isFree: false)]
    var byNumber: [Int: Bool] = [3: true]
    var note: String?
    var image = Data([0, 255])
    var link = URL(string: "https://example.org/a")
    var opened = Date(timeIntervalSinceReferenceDate: 5.5)
    var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var free: JSON = ["a": ["b": 1]]
    var empty: [String] = []
    var none: [String: Int] = [:]
  }

  struct Message: Codable, Equatable {
    var id: String?
    var text: String
  }

  final class SharedMessage: Codable {
    var id: String?
    var text = "Hello"
  }

  @Test func keysOfChildrenAreProperties() async throws {
    let chat = try TreeFixture()
    let place = try chat.tree.reference("messages")
    let first = try place.child("10")
    try await first.setValue(encoding: Message(id: "10", text: "b"), key: \.id)
    #expect(try first.snapshot().json == ["text": "b"])
    try place.child("9").setValueAndWait(encoding: Message(id: nil, text: "c"), key: \.id)
    try await chat.store.write { transaction in
      let editor = try chat.tree.in(transaction)
      try editor.setValue(encoding: Message(id: "x", text: "a"), key: \.id, at: place.child("8"))
      let last = try editor.children(of: place.queryLimited(toLast: 1), as: Message.self, key: \.id)
      #expect(last == [Message(id: "10", text: "b")])
    }
    let inOrder = ["8", "9", "10"]
    #expect(try place.children(as: Message.self, key: \.id).map(\.id) == inOrder)
    #expect(try place.children(as: Message.self).map(\.id) == [nil, nil, nil])
    let byText = try place.queryOrdered(byChild: "text")
    #expect(try byText.children(as: Message.self, key: \.id).map(\.text) == ["a", "b", "c"])
    // An instance of a class keeps its key.
    let shared = SharedMessage()
    shared.id = "z"
    try await place.child("z").setValue(encoding: shared, key: \.id)
    #expect(try shared.id == "z" && place.child("z").snapshot().json == ["text": "Hello"])
    try place.child("bad").setValueAndWait(1)
    #expect(throws: DecodingError.self) { try place.children(as: Message.self) }
    #expect(try chat.tree.reference("nothing").children(as: Message.self) == [])
  }

  @Test(arguments: StoreKind.allCases) func typesAreStoredAndRead(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    let place = try chat.tree.reference("rooms/r1")
    #expect(try place.value(as: Room.self) == nil)
    let room = Room(title: "Fief")
    try await place.setValue(encoding: room)
    #expect(try place.value(as: Room.self) == room)
    #expect(try place.snapshot().decode(as: Room.self) == room)
    let value = try place.value()
    #expect(value["numbers"] == [1, -2] && value["gaps"] == ["a", nil, "c"] && value["mood"] == "calm")
    #expect(value["image"] == "AP8=" && value["link"] == "https://example.org/a" && value["opened"] == 5.5)
    #expect(value["seats"] == ["9": ["row": 2, "isFree": false], "10": ["row": 1, "isFree": true]])
    #expect(try !place.child("note").exists() && !place.child("empty").exists())
    try place.setValueAndWait(encoding: ["a": 1, "b": nil])
    #expect(try place.snapshot().json == ["a": 1])
    try await chat.store.write { transaction in
      let editor = try chat.tree.in(transaction)
      try editor.setValue(encoding: [true], at: place)
      #expect(try editor.value(at: place, as: [Bool].self) == [true])
    }
    try place.setValueAndWait(encoding: String?.none)
    #expect(try !place.exists())
  }

  @Test func arraysFollowTheRuleOfArrays() throws {
    let chat = try TreeFixture()
    let place = try chat.tree.reference("a")
    for names in [["1": "x"], ["0": "a", "2": "c"]] as [[String: String]] {
      try place.setValueAndWait(encoding: names)
      let elements = try #require(try place.value(as: [String?].self))
      #expect(elements.count == 1 + (names.keys.compactMap { Int($0) }.max() ?? 0))
      #expect(try place.value(as: [String: String].self) == names)
    }
    for names in [["2": "x"], ["00": "a"], ["999999999999999": "x"], ["0": "a", "x": "b"]] {
      try place.setValueAndWait(encoding: names)
      expectMismatch { try place.value(as: [String].self) }
    }
    try place.setValueAndWait("text")
    expectMismatch { try place.value(as: [String].self) }
    expectMismatch { try place.value(as: [String: String].self) }
    expectMismatch { try place.value(as: Int.self) }
    // An absent value decodes as an empty array.
    #expect(try chat.tree.reference("b").snapshot().decode(as: [Int].self) == [])
    #expect(try chat.tree.reference("b").value(as: [Int].self) == nil)
  }

  private func expectMismatch(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> some Any
  ) {
    let error = #expect(throws: DecodingError.self, sourceLocation: sourceLocation) { _ = try body() }
    if case .typeMismatch? = error { return }
    Issue.record("expected a mismatch, not \(String(describing: error))", sourceLocation: sourceLocation)
  }

  @Test func equalTextsAreNotMerged() throws {
    let chat = try TreeFixture()
    let place = try chat.tree.reference("a")
    let equal: [JSON] = [["\u{E9}": 1, "e\u{301}": 2], ["K": 1, "\u{212A}": 2]]
    for value in equal {
      try place.setValueAndWait(value)
      for body in [
        { _ = try place.value(as: [String: Int].self) },
        { _ = try chat.tree.root.value(as: [String: [String: Int]].self) },
        { _ = try place.value(as: [String: Int]?.self) },
      ] {
        let error = #expect(throws: DecodingError.self) { try body() }
        guard case .dataCorrupted? = error else {
          Issue.record("expected corrupted data, not \(String(describing: error))")
          continue
        }
      }
      #expect(try place.value(as: JSON.self) == value)
    }
    try place.setValueAndWait(["\u{E9}": 1, "e": 2])
    #expect(try place.value(as: [String: Int].self) == ["\u{E9}": 1, "e": 2])
  }

  @Test func missingAndInvalidValuesAreNamed() throws {
    let chat = try TreeFixture()
    let place = try chat.tree.reference("a")
    try place.setValueAndWait(["isFree": true])
    let missing = #expect(throws: DecodingError.self) { _ = try place.value(as: Seat.self) }
    guard case .keyNotFound(let key, _)? = missing else {
      Issue.record("expected a missing key, not \(String(describing: missing))")
      return
    }
    #expect(key.stringValue == "row")
    try place.setValueAndWait(["row": 300.0])
    #expect(try place.value(as: [String: Int].self) == ["row": 300])
    for value in [300, 1.5] as [JSON] {
      try place.setValueAndWait(["list": [0, value]])
      let error = #expect(throws: DecodingError.self) { _ = try place.value(as: [String: [Int8]].self) }
      guard case .dataCorrupted(let context)? = error else {
        Issue.record("expected corrupted data, not \(String(describing: error))")
        continue
      }
      #expect(context.codingPath.map(\.stringValue) == ["list", "1"])
    }
    #expect(throws: EncodingError.self) { try place.setValueAndWait(encoding: UInt64.max) }
    expectCode(.invalidValue) { try place.setValueAndWait(encoding: [Double.infinity]) }
    expectCode(.invalidTreeKey) { try place.setValueAndWait(encoding: ["a.b": 1]) }
  }

  @Test func aTreeWithoutAServerIsNotConnected() throws {
    let chat = try TreeFixture()
    let place = try chat.tree.reference("a")
    try place.setValueAndWait(1)
    #expect(try place.value(source: .cache) == 1 && place.snapshot(source: .default).json == 1)
    expectCode(.notConnected) { try place.value(source: .server) }
    expectCode(.notConnected) { try place.snapshot(source: .server) }
    #expect(try !place.snapshot().isFromCache)
    #expect(!chat.tree.connection.isConnected && chat.tree.connection.serverTimeOffset == 0)
  }

  @Test func namesHaveTheRandomBytesOfTheStore() throws {
    var last: [UInt8] = []
    let time = Date(timeIntervalSince1970: 281_474_976_710.654)
    let bytes: [UInt8] = [0xFF, 0, 0b0000_0001, 0b1000_0000]
    #expect(AutoIdentifier.next(at: time, random: bytes, after: &last) == "zzzzzzzyzk-0V-------")
    #expect(AutoIdentifier.next(at: time, random: [], after: &last) == "zzzzzzzyzk-0V------0")
    var repository = ChatRepository()
    let counts = Lock<[Int]>([])
    repository.storeOptions.randomBytes = { count in
      counts.withLock { $0.append(count) }
      return []
    }
    let tree = JSONTree(in: try StoreFixture(repository))
    #expect(tree.root.childByAutoId().key?.count == 20)
    #expect(counts.withLock { $0 } == [9])
  }
}
