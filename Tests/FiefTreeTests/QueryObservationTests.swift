import Fief
import FiefTesting
import FiefTreeTestKit
import Testing

@testable import FiefTree

/// Observations of queries: moves, windows and values.
struct QueryObservationTests {
  private func observe(_ query: some TreeQueryable, _ events: TreeEvents, _ chat: TreeFixture) throws -> (
    ObservedEvents, NotificationToken
  ) {
    let noted = ObservedEvents()
    let token = query.observe(events, onError: { noted.note($0) }, { noted.note($0) })
    try chat.deliver()
    return (noted, token)
  }

  /// Case 4 of the specification.
  @Test(arguments: StoreKind.allCases) func eventsOfAnOrderByValue(_ kind: StoreKind) throws {
    let chat = try TreeFixture(kind)
    try chat.set("r", ["a": 1, "b": 2, "c": 3])
    let room = try chat.tree.reference("r")
    let (events, token) = try observe(try room.queryOrderedByValue(), [.children, .value], chat)
    try chat.expect(
      events,
      ["+ a 1 after nil", "+ b 2 after a", "+ c 3 after b", "value {\"a\":1,\"b\":2,\"c\":3}"]
    )
    try chat.expect(
      events,
      ["- a null", "+ d 0 after nil", "> b 9 after c", "~ b 9 after c", "value {\"b\":9,\"c\":3,\"d\":0}"]
    ) {
      try room.updateChildValuesAndWait(["a": nil, "b": 9, "d": 0])
    }
    // Equal numbers have one position, but they are different values.
    try chat.expect(events, ["~ b 9.0 after c", "value {\"b\":9.0,\"c\":3,\"d\":0}"]) {
      try chat.set("r/b", 9.0)
    }
    withExtendedLifetime(token) {}
  }

  @Test(arguments: StoreKind.allCases) func childrenEnterAndLeaveAWindow(_ kind: StoreKind) throws {
    let chat = try TreeFixture(kind)
    let room = try chat.tree.reference("r")
    try chat.set("r", ["a": ["at": 1], "b": ["at": 2], "c": ["at": 3], "d": ["x": 1]])
    let newest = try room.queryOrdered(byChild: "at").queryLimited(toLast: 2)
    let (events, token) = try observe(newest, .children, chat)
    try chat.expect(events, ["+ b {\"at\":2} after nil", "+ c {\"at\":3} after b"])
    try chat.expect(events, ["- b {\"at\":2}", "+ e {\"at\":4} after c"]) { try chat.set("r/e/at", 4) }
    try chat.expect(events, ["- c null", "+ b {\"at\":2} after nil"]) { try chat.set("r/c", nil) }
    try chat.expect(events, ["- b {\"at\":2}", "+ a {\"at\":5} after e"]) { try chat.set("r/a/at", 5) }
    try chat.expect(events, ["> e {\"at\":6} after a", "~ e {\"at\":6} after a"]) {
      try chat.set("r/e/at", 6)
    }
    // Changes outside of the window are no events.
    try chat.expect(events, []) { try chat.set("r/d/y", 1) }
    try chat.expect(events, ["- a null", "- e null"]) { try chat.set("r", nil) }
    withExtendedLifetime(token) {}
  }

  @Test func boundsAreKept() throws {
    let chat = try TreeFixture()
    let room = try chat.tree.reference("r")
    try chat.set("r", ["1": 1, "2": 2, "10": 10])
    let byKey = try room.queryOrderedByKey().queryStarting(atValue: "2")
    let (keys, one) = try observe(byKey, [.children, .value], chat)
    let bounded = try room.queryOrderedByValue().queryStarting(atValue: 2).queryEnding(beforeValue: 10)
    let (values, two) = try observe(bounded, .children, chat)
    try chat.expect(keys, ["+ 2 2 after nil", "+ 10 10 after 2", "value {\"2\":2,\"10\":10}"])
    try chat.expect(values, ["+ 2 2 after nil"])
    try room.updateChildValuesAndWait(["1": 5, "3": 3, "10": 9])
    try chat.expect(keys, ["+ 3 3 after 2", "~ 10 9 after 3", "value {\"2\":2,\"3\":3,\"10\":9}"])
    try chat.expect(values, ["+ 3 3 after 2", "+ 1 5 after 3", "+ 10 9 after 1"])
    try chat.tree.reference("r").removeAllObservers()
    try chat.expect(values, []) { try chat.set("r/4", 4) }
    withExtendedLifetime((one, two)) {}
  }

  @Test(arguments: StoreKind.allCases) func aGroupIsFollowedEverywhere(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    let tree = JSONTree(in: chat.store, rules: try AccessRules().group("likes", on: "at"))
    try await tree.root.updateChildValues(["likes/ada": ["at": 3], "rooms/r1/likes/bo": ["at": 1]])
    let newest = try tree.group("likes").queryOrdered(byChild: "at").queryLimited(toLast: 2)
    let (events, token) = try observe(newest, [.children, .value], chat)
    try chat.expect(
      events,
      [
        "+ bo {\"at\":1} after nil", "+ ada {\"at\":3} after rooms/r1/likes/bo",
        "value {\"likes/ada\":{\"at\":3},\"rooms/r1/likes/bo\":{\"at\":1}}",
      ]
    )
    try chat.expect(
      events,
      [
        "- bo {\"at\":1}", "+ cy {\"at\":4} after likes/ada",
        "value {\"likes/ada\":{\"at\":3},\"rooms/r2/likes/cy\":{\"at\":4}}",
      ]
    ) { try chat.set("rooms/r2/likes/cy", ["at": 4]) }
    // Ending the observations of the root does not end observations of groups.
    tree.root.removeAllObservers()
    try chat.expect(events, []) { try chat.set("rooms/r2/title", "x") }
    try chat.expect(
      events,
      [
        "- cy null", "+ bo {\"at\":1} after nil",
        "value {\"likes/ada\":{\"at\":3},\"rooms/r1/likes/bo\":{\"at\":1}}",
      ]
    ) { try chat.set("rooms/r2", nil) }
    withExtendedLifetime(token) {}
  }

  /// The rules of the observed tree do not declare the index.
  @Test(.timeLimit(.minutes(5))) func aGroupWithoutItsIndexEnds() async throws {
    let chat = try TreeFixture()
    let declaring = JSONTree(in: chat.store, rules: try AccessRules().group("likes", on: "at"))
    try await declaring.origin.waitForIndexes()
    try chat.set("likes/ada", ["at": 3])
    let (events, token) = try observe(
      try chat.tree.group("likes").queryOrdered(byChild: "at"),
      .childAdded,
      chat
    )
    try chat.expect(events, ["+ ada {\"at\":3} after nil"])
    for index in try chat.tree.indexes() { try await chat.tree.removeIndex(index) }
    try chat.set("likes/bo", ["at": 4])
    while events.errors.isEmpty { await Task.yield() }
    #expect(events.errors == [.indexRequired] && events.take() == [])
    withExtendedLifetime(token) {}
  }

  /// Few changes of a long list are put into their places, and many are listed again.
  @Test func longListsAreKeptInOrder() async throws {
    let chat = try TreeFixture()
    let room = try chat.tree.reference("r")
    var values = FiefTree.JSONObject()
    for number in 0..<500 { values["m\(number)"] = .int(Int64(number * 7 % 500)) }
    try await room.setValue(.object(values))
    let order = Lock<[String]>([])
    let query = try room.queryOrderedByValue()
    let token = query.observe(.children) { event in
      order.withLock { order in
        switch event {
        case .childRemoved(let child): order.removeAll { $0 == child.key }
        case .childAdded(let child, let after), .childMoved(let child, let after):
          order.removeAll { $0 == child.key }
          let index = after.flatMap { after in order.firstIndex { $0 == after } }
          order.insert(child.key ?? "", at: index.map { $0 + 1 } ?? 0)
        case .childChanged, .value: break
        }
      }
    }
    var random = SeededRandom(state: 7)
    for round in 0..<20 {
      var update = FiefTree.JSONObject()
      for _ in 0..<(round % 5 == 4 ? 20 * round : 1) {
        let value = Int64.random(in: 0..<500, using: &random)
        update["m\(Int.random(in: 0..<520, using: &random))"] = value % 9 == 0 ? .null : .int(value)
      }
      try await room.updateChildValues(update)
      if round % 5 == 4 { continue }
      try chat.deliver()
      let keys = try query.snapshot().children.compactMap(\.key)
      #expect(Set(order.withLock { $0 }) == Set(keys), "round \(round)")
      // A single change leaves the copy in order.
      if round < 4 { #expect(order.withLock { $0 } == keys, "round \(round)") }
    }
    withExtendedLifetime(token) {}
  }
}
