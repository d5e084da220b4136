import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import TestEffort
import Testing

/// Reading and writing places, on the disk, in memory and encrypted.
struct TreeTests {
  @Test(arguments: StoreKind.allCases) func valuesAreSetReadAndRemoved(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    let room = try chat.tree.reference("rooms/r1")
    #expect(try room.value() == .null && !room.exists() && room.keys() == [])
    let value: JSON = ["title": "Fief", "open": true, "seats": 40, "price": 2.5, "tags": ["a", "b"]]
    try await room.setValue(value)
    #expect(try room.value() == value)
    #expect(try room.snapshot().json["tags"] == ["0": "a", "1": "b"])
    #expect(try room.child("title").value() == "Fief")
    #expect(try room.keys() == ["open", "price", "seats", "tags", "title"])
    #expect(try room.keys(limit: 2, after: "p") == ["price", "seats"])
    #expect(try room.childCount() == 5 && chat.tree.root.keys() == ["rooms"])
    try await room.child("tags").setValue("none")
    #expect(try room.child("tags").value() == "none")
    try await room.child("title/language/code").setValue("de")
    #expect(try room.child("title").value() == ["language": ["code": "de"]])
    try await room.child("title/language/code").removeValue()
    #expect(try !room.child("title").exists() && room.exists())
    try room.removeValueAndWait()
    #expect(try chat.whole() == .null && chat.tree.check() == [])
  }

  @Test(arguments: StoreKind.allCases) func anUpdateIsOneCommit(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    try chat.set("a", ["x": 1, "y": 2])
    try await chat.tree.root.updateChildValues(["a/x": 3, "a/y": .null, "b/c": "new", "d": .null])
    #expect(try chat.whole() == ["a": ["x": 3], "b": ["c": "new"]])
    let root = chat.tree.root
    expectCode(.overlappingPaths) { try root.updateChildValuesAndWait(["a": 1, "a/b": 2]) }
    expectCode(.overlappingPaths) { try root.updateChildValuesAndWait(["a/b": 1, "/a//b": 2]) }
    expectCode(.overlappingPaths) { try root.updateChildValuesAndWait(["": 1, "a": 2]) }
    #expect(try chat.whole() == ["a": ["x": 3], "b": ["c": "new"]])
    try root.updateChildValuesAndWait(["a": 1, "ab": 2])
    #expect(try chat.whole() == ["a": 1, "ab": 2, "b": ["c": "new"]])
  }

  @Test func equalValuesAreNotCommitted() async throws {
    let chat = try TreeFixture()
    let core = try #require(chat.store.store().openedCore)
    let long = String(repeating: "n", count: 700)
    try chat.set("a", ["b": ["c": 1, "d": [1, 2.0, "x"]], long: [long: true]])
    let commit = try core.read { $0.id }
    try chat.set("a", ["b": ["c": 1, "d": [1, 2.0, "x"]], long: [long: true]])
    try chat.set("a/b/c", 1)
    try await chat.tree.root.updateChildValues([:])
    try await chat.tree.reference("nothing").removeValue()
    try await chat.tree.reference("a/b/c/below").removeValue()
    #expect(try core.read { $0.id } == commit)
    try chat.set("a/b/c", 1.0)
    #expect(try core.read { $0.id } == commit + 1)
    #expect(try chat.get("a/b/c") == 1.0)
  }

  @Test func theRootMayHaveAnyValue() throws {
    let chat = try TreeFixture()
    try chat.tree.root.setValueAndWait(5)
    #expect(try chat.whole() == 5 && chat.tree.root.keys() == [] && chat.tree.root.exists())
    try chat.set("a", 1)
    #expect(try chat.whole() == ["a": 1])
    try chat.tree.root.setValueAndWait("x")
    #expect(try chat.whole() == "x" && chat.tree.check() == [])
    try chat.tree.root.setValueAndWait([])
    #expect(try chat.whole() == .null && !chat.tree.root.exists())
  }

  /// Case 1 of the specification.
  @Test func nodesReadAsArrays() throws {
    let chat = try TreeFixture()
    let cases: [(JSON, JSON)] = [
      (["1": "x"], [nil, "x"]), (["2": "x"], ["2": "x"]), (["1": "a", "3": "c"], [nil, "a", nil, "c"]),
      (["00": "a"], ["00": "a"]), (["999999999999999": 1], ["999999999999999": 1]),
      (["0": ["0": 1, "1": 2], "1": ["x": 1]], [[1, 2], ["x": 1]]), ([1, nil, 3], [1, nil, 3]),
    ]
    for (written, read) in cases {
      try chat.set("a", written)
      #expect(try chat.tree.reference("a").value() == read)
    }
  }

  /// Case 2 of the specification.
  @Test(arguments: StoreKind.allCases) func keysAreInTheOrderOfTrees(_ kind: StoreKind) throws {
    let chat = try TreeFixture(kind)
    let names = ["10", "9", "-5", "01", "1", "a", "A", "-0", "2147483647", "2147483648", "\u{E9}"]
    for name in names { try chat.set("a/" + name, true) }
    let expected = ["-5", "-0", "1", "01", "9", "10", "2147483647", "2147483648", "A", "a", "\u{E9}"]
    let place = try chat.tree.reference("a")
    #expect(try place.keys() == expected)
    #expect(try place.snapshot().children.map(\.key) == expected)
    for (index, name) in expected.enumerated() {
      #expect(try place.keys(limit: 1, after: name) == Array(expected.dropFirst(index + 1).prefix(1)))
    }
  }

  /// Case 6 of the specification.
  @Test func reservedNamesStandForValues() throws {
    let chat = try TreeFixture()
    expectCode(.invalidTreeKey) { try chat.set("a", [".sv": "timestamp", "x": 1]) }
    expectCode(.invalidTreeKey) { try chat.set("a", [".value": 1, "x": 2]) }
    expectCode(.invalidTreeKey) { try chat.set("a", [".value": 1, ".priority": 2]) }
    do { try chat.set("a", [".value": 1, "-5": 2]) } catch let error as FiefError {
      #expect(error.showingValues().description.contains("name: .value"))
    }
    expectCode(.invalidTreeKey) { try chat.set("a", [".sv": "later"]) }
    expectCode(.invalidTreeKey) { try chat.set("a", [".sv": ["increment": "1"]]) }
    try chat.set("a", [".value": 1])
    #expect(try chat.whole() == ["a": 1])
    // Reserved names may be nested, without a recursion for each of them.
    let deep = (0..<4000).reduce(JSON.int(2)) { value, _ in [".value": value] }
    try chat.set("a", deep)
    #expect(try chat.get("a") == 2)
    expectCode(.invalidTreeKey) { try chat.set("a", [".sv": deep]) }
    try chat.set("a", [".value": .null])
    #expect(try chat.whole() == .null)
  }

  @Test func eachRefusedCharacterIsNamed() throws {
    let chat = try TreeFixture()
    let refused = Array(".$#[]".unicodeScalars) + (0...0x1F).compactMap { Unicode.Scalar($0) } + ["\u{7F}"]
    #expect(refused.count == 38)
    for scalar in refused {
      let name = "a" + String(Character(scalar)) + "b"
      expectCode(.invalidTreeKey) { try chat.tree.reference("x/" + name) }
      expectCode(.invalidTreeKey) { try chat.set("x", ["y": [name: 1]]) }
    }
    // The last of the 39 characters divides a path.
    expectCode(.invalidTreeKey) { try chat.set("x", ["a/b": 1]) }
    #expect(try chat.tree.reference("/x//y/").path == "x/y")
    do { try chat.set("x", ["y": ["secret$": 1]]) } catch let error as FiefError {
      #expect(!error.description.contains("secret") && error.description.contains("U+0024"))
      #expect(error.showingValues().description.contains("x/y/secret$"))
    }
    do { _ = try chat.tree.reference("rooms/r1").child("a/b$") } catch let error as FiefError {
      #expect(error.showingValues().description.contains("path: rooms/r1/a/b$"))
    }
    try chat.set("x", ["\u{80}\u{9F} ~": 1])
    #expect(try chat.tree.reference("x").keys() == ["\u{80}\u{9F} ~"])
  }

  @Test(arguments: StoreKind.allCases) func limitsAreExact(_ kind: StoreKind) throws {
    let chat = try TreeFixture(kind)
    let name = String(repeating: "n", count: 768)
    try chat.set(name, [name: 1])
    #expect(try chat.tree.root.keys() == [name] && chat.get(name + "/" + name) == 1)
    expectCode(.invalidTreeKey) { try chat.set("a", [name + "n": 1]) }
    expectCode(.invalidTreeKey) { try chat.set("a", ["": 1]) }
    let deep = Array(repeating: name, count: 32)
    try chat.set(deep.joined(separator: "/"), 2)
    #expect(try chat.get(deep.joined(separator: "/")) == 2)
    #expect(try chat.get(name)[name] != 1)
    expectCode(.treeTooDeep) { try chat.tree.reference((deep + ["a"]).joined(separator: "/")) }
    let levels = (0..<31).reduce(JSON.int(1)) { value, _ in ["l": value] }
    try chat.set("d", levels)
    expectCode(.treeTooDeep) { try chat.set("d", ["l": levels]) }
    #expect(try chat.get("d") == levels && chat.tree.check() == [])
    try chat.tree.root.removeValueAndWait()
    #expect(try chat.store.read { try chat.tree.in($0).exists(at: chat.tree.root) } == false)
  }

  @Test(.timeLimit(.minutes(5))) func largeTextsAndWritesHaveLimits() throws {
    let chat = try TreeFixture()
    let text = String(repeating: "t", count: 10_485_760)
    try chat.set("text", .string(text))
    #expect(try chat.get("text") == .string(text))
    expectCode(.valueTooLarge) { try chat.set("text", .string(text + "t")) }
    // The path has 1 byte, `{"b":"…","c":"…"}` 15 bytes beside the texts.
    let rest = 16_777_216 - 1 - 15 - 10_485_760
    try chat.set("a", ["b": .string(text), "c": .string(String(repeating: "c", count: rest))])
    expectCode(.valueTooLarge) {
      try chat.set("a", ["b": .string(text), "c": .string(String(repeating: "c", count: rest + 1))])
    }
    #expect(try chat.get("a/c").string?.utf8.count == rest)
    expectCode(.invalidValue) { try chat.set("a", .double(.infinity)) }
    expectCode(.invalidValue) { try chat.tree.root.keys(limit: -1) }
  }

  @Test(.timeLimit(.minutes(5))) func manyChildrenAreSkippedByKeys() throws {
    let chat = try TreeFixture()
    let rooms = TestEffort.count(100, more: 1000)
    let leaves = TestEffort.count(200, more: 1000)
    let messages = JSON.object(FiefTree.JSONObject((0..<leaves).map { ("m\($0)", .int(Int64($0))) }))
    for first in stride(from: 0, to: rooms, by: 10) {
      let names = (first..<(first + 10)).map { ("r\($0)", messages) }
      try chat.tree.root.updateChildValuesAndWait(FiefTree.JSONObject(names))
    }
    let store = chat.store.store()
    let before = store.usage().types["JSONTreeNode"]?.reads ?? 0
    #expect(try chat.tree.root.keys().count == rooms)
    #expect(store.usage().types["JSONTreeNode"]?.reads == before + UInt64(rooms))
    // A node of many leaves is replaced, and its siblings stay.
    try chat.set("r5", ["only": 1])
    #expect(try chat.get("r4") == messages && chat.get("r50") == messages && chat.get("r5") == ["only": 1])
    #expect(try chat.tree.root.childCount() == rooms)
    try chat.tree.root.removeValueAndWait()
    #expect(try chat.whole() == .null && chat.tree.check() == [])
  }

  @Test(arguments: StoreKind.allCases) func serverValuesAreOfTheCommit(_ kind: StoreKind) async throws {
    let time = Lock(Date(timeIntervalSince1970: 1_700_000_000.123))
    let chat = try TreeFixture(kind) {
      time.withLock { time -> Date in
        time.addTimeInterval(1)
        return time
      }
    }
    try await chat.tree.root.updateChildValues([
      "a": .serverTimestamp, "b/c": [.serverTimestamp, 1], "n": .increment(5),
    ])
    let value = try chat.whole()
    #expect(value["a"] == value["b"]["c"]["0"] && value["a"].int.map { $0 % 1000 } == 123)
    try chat.set("n", .increment(-7))
    #expect(try chat.get("n") == -2)
    try chat.set("n", .increment(0.5))
    #expect(try chat.get("n") == -1.5)
    try chat.set("n", .int(.max))
    try chat.set("n", .increment(1))
    #expect(try chat.get("n") == .double(9.223372036854775807e18))
    try chat.set("n", ["x": .increment(3)])
    #expect(try chat.get("n") == ["x": 3])
    try chat.set("n", .increment(2))
    #expect(try chat.get("n") == 2)
    try chat.set("n/below", .increment(4))
    #expect(try chat.get("n") == ["below": 4])
    try chat.set("n", .double(Double.greatestFiniteMagnitude))
    do {
      try chat.set("n", .increment(Double.greatestFiniteMagnitude))
      Issue.record("expected an error")
    } catch let error as FiefError {
      #expect(error.code == .invalidValue && error.store != nil)
      #expect(error.showingValues().details == ["path: n"])
    }
    #expect(try chat.get("n") == .double(Double.greatestFiniteMagnitude))
  }

  @Test func identifiersIncrease() throws {
    let time = Lock(Date(timeIntervalSince1970: 1_700_000_000))
    let chat = try TreeFixture { time.withLock { $0 } }
    var names: [String] = []
    for _ in 0..<10_000 { names.append(chat.tree.root.childByAutoId().key ?? "") }
    time.withLock { $0.addTimeInterval(-3600) }
    for _ in 0..<10 { names.append(chat.tree.root.childByAutoId().key ?? "") }
    time.withLock { $0.addTimeInterval(7200) }
    names.append(chat.tree.root.childByAutoId().key ?? "")
    #expect(zip(names, names.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(names.allSatisfy { $0.wholeMatch(of: #/[-0-9A-Z_a-z]{20}/#) != nil })
    #expect(try !chat.tree.root.exists())
  }
}
