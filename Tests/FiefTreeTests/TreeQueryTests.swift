import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Testing

/// The orders, bounds and limits of queries.
struct TreeQueryTests {
  /// The names of the children of a query, without a separator.
  private func names(_ query: TreeQuery) throws -> String {
    let snapshot = try query.snapshot()
    let names = snapshot.children.compactMap(\.key)
    #expect(try query.count() == names.count && snapshot.childCount == names.count)
    return names.joined()
  }

  @Test(arguments: StoreKind.allCases) func valuesOfAllTypesAreOrdered(_ kind: StoreKind) throws {
    let chat = try TreeFixture(kind)
    try chat.set(
      "q",
      [
        "a": ["v": "x"], "b": ["v": 3], "c": ["v": true], "d": ["v": false], "e": ["w": 1],
        "f": ["v": ["z": 1]], "g": ["v": 3],
      ]
    )
    let query = try chat.tree.reference("q").queryOrdered(byChild: "v")
    #expect(try names(query) == "edcbgaf")
    #expect(try names(query.queryStarting(atValue: 3)) == "bgaf")
    #expect(try names(query.queryStarting(atValue: 3, childKey: "g")) == "gaf")
    #expect(try names(query.queryStarting(afterValue: 3)) == "af")
    #expect(try names(query.queryStarting(afterValue: 3.0, childKey: "b")) == "gaf")
    #expect(try names(query.queryEnding(atValue: false)) == "ed")
    #expect(try names(query.queryEnding(beforeValue: false)) == "e")
    #expect(try names(query.queryEnding(atValue: 3, childKey: "f")) == "edcb")
    #expect(try names(query.queryEqual(toValue: .null)) == "e")
    #expect(try names(query.queryEqual(toValue: 3)) == "bg")
    #expect(try names(query.queryEqual(toValue: 3, childKey: "g")) == "g")
    #expect(try names(query.queryLimited(toLast: 2)) == "af")
    #expect(try names(query.queryStarting(atValue: true).queryLimited(toFirst: 2)) == "cb")
    // The value leaves out nodes beyond the limit.
    let window = try query.queryLimited(toLast: 2).snapshot()
    #expect(window.json == ["a": ["v": "x"], "f": ["v": ["z": 1]]] && window.reference.path == "q")
    #expect(window.children.map(\.reference.path) == ["q/a", "q/f"])
    #expect(try window.child("f/v/z").json == 1 && !window.child("b").exists)
  }

  @Test func prefixesEndAtTheLastCharacter() throws {
    let chat = try TreeFixture()
    try chat.set("p", ["a": 1, "a\u{1F600}": 2, "ab": 3, "b": 4])
    let query = try chat.tree.reference("p").queryOrderedByKey().queryStarting(atValue: "a")
    #expect(try names(query.queryEnding(atValue: "a\u{F8FF}")) == "aab")
    #expect(try names(query.queryEnding(atValue: "a\u{10FFFF}")) == "aaba\u{1F600}")
  }

  @Test func numbersCompareExactly() throws {
    let chat = try TreeFixture()
    let large: Int64 = 9_007_199_254_740_993
    // The nearest double of these integers is another number.
    try chat.set(
      "n",
      [
        "a": .int(large), "b": .double(9_007_199_254_740_992), "c": .int(large - 1), "d": .double(0x1p63),
        "e": .int(.max), "f": .int(.max - 1), "g": .int(.min), "h": .double(-0x1p63), "i": .double(-0.0),
        "j": 0, "k": .double(.leastNonzeroMagnitude), "l": .double(-.leastNonzeroMagnitude),
        "m": .double(0x1p63.nextDown), "n": .double(.greatestFiniteMagnitude), "o": -1.5, "p": -1, "q": -2,
      ]
    )
    let query = try chat.tree.reference("n").queryOrderedByValue()
    #expect(try names(query) == "ghqoplijkbcamfedn")
    #expect(try names(query.queryEqual(toValue: .int(large - 1))) == "bc")
    #expect(try names(query.queryEqual(toValue: .double(0))) == "ij")
    #expect(try names(query.queryStarting(afterValue: .double(0x1p63.nextDown))) == "fedn")
  }

  @Test func textsAreOrderedByTheirBytes() throws {
    let chat = try TreeFixture()
    let texts = [
      "", "\0", "\0\0", "\0\u{1}", "\u{1}", "\u{2}", "\u{3}", "\u{3}\u{2}", "\u{4}", "a", "a\0", "a\u{2}",
      "ab", "\u{E9}",
    ]
    var value = FiefTree.JSONObject()
    for (index, text) in texts.enumerated() { value["n\(texts.count - index + 10)"] = .string(text) }
    try chat.set("t", .object(value))
    let query = try chat.tree.reference("t").queryOrderedByValue()
    #expect(try query.snapshot().children.map { $0.json.string ?? "" } == texts)
    #expect(try query.queryLimited(toFirst: 20).snapshot().children.map { $0.json.string ?? "" } == texts)
    #expect(try query.queryStarting(afterValue: "a").queryEnding(beforeValue: "ab").count() == 2)
  }

  @Test func aQueryByKeyReadsItsWindowOnly() throws {
    let chat = try TreeFixture()
    var rooms = FiefTree.JSONObject()
    for index in 0..<1000 { rooms[String(index)] = ["title": "room", "last": ["at": .int(Int64(index))]] }
    try chat.set("rooms", .object(rooms))
    let place = try chat.tree.reference("rooms")
    let store = chat.store.store()
    func reads(_ query: TreeQuery, _ expected: String) throws -> UInt64 {
      let before = store.usage().types["JSONTreeNode"]?.reads ?? 0
      #expect(try names(query) == expected)
      return (store.usage().types["JSONTreeNode"]?.reads ?? 0) - before
    }
    #expect(try reads(place.queryLimited(toLast: 3), "997998999") == 6 + 2 * 3)
    #expect(try reads(place.queryLimited(toFirst: 2), "01") == 4 + 2 * 2)
    let byKey = try place.queryOrderedByKey()
    let middle = try byKey.queryStarting(afterValue: "500").queryEnding(beforeValue: "503")
    #expect(try names(middle) == "501502" && middle.explain() == .keys)
    #expect(try names(middle.queryLimited(toLast: 1)) == "502")
    #expect(try names(byKey.queryEqual(toValue: "7")) == "7" && names(byKey.queryEqual(toValue: "07")) == "")
    #expect(try byKey.queryStarting(atValue: "1000").count() == 0)
  }

  @Test func queriesAreChecked() throws {
    let chat = try TreeFixture()
    let place = try chat.tree.reference("q")
    expectCode(.orderRequired) { try place.queryStarting(atValue: 1) }
    expectCode(.orderRequired) { try place.queryLimited(toFirst: 1).queryEqual(toValue: 1) }
    let query = try place.queryOrderedByValue()
    expectCode(.invalidQuery) { try query.queryOrderedByKey() }
    expectCode(.invalidQuery) { try query.queryStarting(atValue: 1).queryStarting(afterValue: 1) }
    expectCode(.invalidQuery) { try query.queryEnding(atValue: 1).queryEnding(beforeValue: 1) }
    expectCode(.invalidQuery) { try query.queryEnding(atValue: 1).queryEqual(toValue: 1) }
    expectCode(.invalidQuery) { try query.queryLimited(toFirst: 1).queryLimited(toLast: 1) }
    expectCode(.invalidQuery) { try place.queryLimited(toFirst: 0) }
    expectCode(.invalidQuery) { try place.queryLimited(toLast: .min) }
    expectCode(.invalidQuery) { try query.queryEqual(toValue: ["a": 1]) }
    expectCode(.invalidQuery) { try query.queryEqual(toValue: [1]) }
    expectCode(.invalidValue) { try query.queryEqual(toValue: .double(.infinity)) }
    expectCode(.invalidTreeKey) { try query.queryEqual(toValue: 1, childKey: "a/b") }
    let byKey = try place.queryOrderedByKey()
    expectCode(.invalidQuery) { try byKey.queryEqual(toValue: 1) }
    expectCode(.invalidQuery) { try byKey.queryEqual(toValue: .null) }
    expectCode(.invalidQuery) { try byKey.queryEqual(toValue: "a", childKey: "a") }
    expectCode(.invalidTreeKey) { try byKey.queryEqual(toValue: "a.b") }
    expectCode(.invalidQuery) { try place.queryOrdered(byChild: "") }
    expectCode(.invalidTreeKey) { try place.queryOrdered(byChild: ".value") }
    expectCode(.invalidQuery) { try place.queryOrdered(byChild: "a/b/c/d/e/f/g/h/i") }
    #expect(try place.queryOrdered(byChild: "a/b/c/d/e/f/g/h").queryLimited(toLast: .max).count() == 0)
  }

  @Test func aValueWithoutChildrenHasNoChildrenToReturn() throws {
    let chat = try TreeFixture()
    try chat.set("leaf", 1)
    for path in ["leaf", "leaf/below", "nothing"] {
      let place = try chat.tree.reference(path)
      for query in [place.query, try place.queryOrderedByValue(), try place.queryLimited(toLast: 1)] {
        #expect(try !query.snapshot().exists && query.count() == 0)
      }
    }
  }

  @Test func aQueryReadsTheStateOfItsWrite() throws {
    let chat = try TreeFixture()
    let other = try TreeFixture()
    let query = try chat.tree.reference("q").queryOrderedByValue().queryLimited(toLast: 1)
    try chat.store.write { transaction in
      let editor = try chat.tree.in(transaction)
      try editor.setValue(["a": 2, "b": 1], at: chat.tree.reference("q"))
      #expect(try editor.snapshot(of: query).json == ["a": 2] && editor.count(of: query) == 1)
      #expect(try query.snapshot().json == ["a": 2])
      expectCode(.foreignObject) { try editor.count(of: other.tree.root.queryLimited(toLast: 1)) }
    }
    var ended: TreeReader?
    try chat.store.read { ended = try chat.tree.in($0) }
    let reader = try #require(ended)
    expectCode(.transactionEnded) { try reader.snapshot(of: query) }
  }

  @Test(.freshStores) func aQueryThatReadsAllChildrenIsReportedOnce() throws {
    let events = Lock<[StoreEvent]>([])
    var repository = ChatRepository()
    repository.storeOptions.eventHandler = { event in events.withLock { $0.append(event) } }
    let tree = JSONTree(in: repository)
    for room in ["r1", "r2"] {
      let place = try tree.reference("messages/\(room)")
      try place.setValueAndWait(["a": ["at": 1]])
      for _ in 0..<2 { _ = try place.queryOrdered(byChild: "at").queryLimited(toLast: 1).snapshot() }
      // No index would serve these.
      _ = try place.queryOrdered(byChild: "at").snapshot()
      _ = try place.queryOrderedByKey().queryLimited(toLast: 1).snapshot()
    }
    _ = try tree.reference("messages/r1").queryOrderedByValue().queryEqual(toValue: 1).count()
    let reports = events.withLock { $0 }.compactMap { event in
      if case .unindexedTreeQuery("chat", let query) = event { query } else { nil }
    }
    #expect(reports.map(\.order) == ["at", ".value"])
    #expect(reports.allSatisfy { !$0.path.contains("messages") && !$0.description.contains("messages") })
  }
}
