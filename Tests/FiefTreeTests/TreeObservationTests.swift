import Dispatch
import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Testing

/// Observations of places: which events each commit delivers.
struct TreeObservationTests {
  /// The counts of section 14 of the specification.
  @Test(arguments: StoreKind.allCases) func aValueIsReportedAtFirstAndAfterEachChange(_ kind: StoreKind)
    throws
  {
    let chat = try TreeFixture(kind)
    let (name, token) = try chat.observe("users/a/name")
    try chat.expect(name, ["value null"])
    try chat.expect(name, ["value \"Ada\""]) { try chat.set("users/a/name", "Ada") }
    try chat.expect(name, ["value \"Bo\""]) { try chat.set("users/a/name", "Bo") }
    try chat.expect(name, ["value \"Cy\""]) { try chat.set("users", ["a": ["name": "Cy", "age": 3]]) }
    // A write below, whose place was a leaf.
    try chat.expect(name, ["value {\"first\":\"Di\"}"]) { try chat.set("users/a/name/first", "Di") }
    try chat.expect(name, ["value null"]) { try chat.tree.reference("users/a").removeValueAndWait() }
    try chat.expect(name, ["value \"Ed\""]) { try chat.set("users/a", ["name": "Ed"]) }
    // A sibling, an equal value, another user, and another name with the same characters.
    try chat.expect(name, []) {
      try chat.set("users/a/age", 4)
      try chat.set("users/a/name", "Ed")
      try chat.set("users/a", ["name": "Ed", "age": 5])
      try chat.set("users/b", ["name": "Bo"])
      try chat.set("users/a/na", "x")
    }
    try chat.expect(name, ["value 1"]) { try chat.set("users/a/name", 1) }
    try chat.expect(name, ["value 1.0"]) { try chat.set("users/a/name", 1.0) }
    try chat.expect(name, ["value null"]) { try chat.tree.root.setValueAndWait("a leaf") }
    token.invalidate()
    try chat.expect(name, []) { try chat.set("users/a/name", "Fi") }
  }

  @Test(arguments: StoreKind.allCases) func childrenAreReportedInTheirOrder(_ kind: StoreKind) throws {
    let chat = try TreeFixture(kind)
    try chat.set("r", ["10": "x", "9": ["y": 1], "a": true])
    let (events, token) = try chat.observe("r", [.children, .value])
    try chat.expect(
      events,
      [
        "+ 9 {\"y\":1} after nil", "+ 10 \"x\" after 9", "+ a true after 10",
        "value {\"9\":{\"y\":1},\"10\":\"x\",\"a\":true}",
      ]
    )
    let references = try ["r/9", "r/10", "r/a"].map { try chat.tree.reference($0) }
    try chat.expect(
      events,
      [
        "- 9 null", "+ -1 0 after nil", "+ b 2 after a", "~ a false after 10",
        "value {\"-1\":0,\"10\":\"x\",\"a\":false,\"b\":2}",
      ]
    ) {
      try chat.tree.reference("r").updateChildValuesAndWait(["9": nil, "-1": 0, "b": 2, "a": false])
    }
    // Below a child, at a child, at the place, and above it.
    try chat.expect(
      events,
      ["~ b {\"c\":{\"d\":1}} after a", "value {\"-1\":0,\"10\":\"x\",\"a\":false,\"b\":{\"c\":{\"d\":1}}}"]
    ) {
      try chat.set("r/b/c/d", 1)
    }
    try chat.expect(events, ["- -1 null", "- 10 null", "- b null", "~ a 3 after nil", "value {\"a\":3}"]) {
      try chat.set("r", ["a": 3])
    }
    try chat.expect(events, ["- a null", "value \"leaf\""]) {
      try chat.tree.root.setValueAndWait(["r": "leaf"])
    }
    try chat.expect(events, ["value null"]) {
      try chat.set("x", 1); try chat.tree.reference("r").removeValueAndWait()
    }
    #expect(references.count == 3)
    _ = token
  }

  @Test func onlyTheChosenKindsAreDelivered() throws {
    let chat = try TreeFixture()
    try chat.set("r", ["a": 1, "b": 2])
    let (added, one) = try chat.observe("r", .childAdded)
    let (removed, two) = try chat.observe("r", .childRemoved)
    let (changed, three) = try chat.observe("r", .childChanged)
    let (nothing, four) = try chat.observe("r", [])
    try chat.expect(added, ["+ a 1 after nil", "+ b 2 after a"])
    for events in [removed, changed, nothing] { try chat.expect(events, []) }
    try chat.tree.reference("r").updateChildValuesAndWait(["a": nil, "b": 3, "c": 4])
    try chat.expect(added, ["+ c 4 after b"])
    try chat.expect(removed, ["- a null"])
    try chat.expect(changed, ["~ b 3 after nil"])
    try chat.expect(nothing, [])
    withExtendedLifetime((one, two, three, four)) {}
  }

  @Test func snapshotsHaveTheirPlaces() throws {
    let chat = try TreeFixture()
    try chat.set("rooms/r1", ["title": "Fief", "tags": ["a", "b"]])
    let (events, token) = try chat.observe("rooms", .childAdded)
    let snapshot = try #require(events.snapshots.first)
    #expect(try snapshot.reference == chat.tree.reference("rooms/r1") && snapshot.key == "r1")
    #expect(snapshot.value["tags"] == ["a", "b"] && snapshot.json["tags"] == ["0": "a", "1": "b"])
    #expect(try snapshot.child("title").json == "Fief")
    withExtendedLifetime(token) {}
  }

  @Test func aWriteIsOneDelivery() async throws {
    let chat = try TreeFixture()
    let (events, token) = try chat.observe("count")
    _ = events.take()
    let objects = Lock<[Int]>([])
    let other = try chat.store.observe { changes in
      objects.withLock { $0.append(changes[Member.self].inserted.count) }
    }
    let count = try chat.tree.reference("count")
    try await chat.store.write { [tree = chat.tree] transaction in
      try tree.in(transaction).setValue(1, at: count)
      try transaction.create(Member.self, value: ["id": "ada"])
      try tree.in(transaction).setValue(.increment(4), at: count)
    }
    try chat.expect(events, ["value 5"])
    #expect(objects.withLock { $0 } == [1])
    // Neither a rolled-back write nor a write that restores the former value is reported.
    struct Failure: Error {}
    try? await chat.store.write { transaction in
      try chat.tree.in(transaction).setValue(9, at: count)
      throw Failure()
    }
    try chat.expect(events, []) {
      try chat.store.write { transaction in
        try chat.tree.in(transaction).setValue(9, at: count)
        try chat.tree.in(transaction).setValue(5, at: count)
      }
    }
    withExtendedLifetime((token, other)) {}
  }

  @Test func observationsAtOnePlaceAreIndependent() throws {
    let chat = try TreeFixture()
    let (first, one) = try chat.observe("a/b")
    let (second, two) = try chat.observe("a/b", .children)
    let (above, three) = try chat.observe("a")
    let (below, four) = try chat.observe("a/b/c")
    for events in [first, second, above, below] { _ = events.take() }
    try chat.set("a/b/c", 1)
    try chat.expect(first, ["value {\"c\":1}"])
    try chat.expect(second, ["+ c 1 after nil"])
    one.invalidate()
    try chat.set("a/b/c", 2)
    try chat.expect(first, [])
    try chat.expect(second, ["~ c 2 after nil"])
    try chat.tree.reference("a/b").removeAllObservers()
    try chat.set("a/b/c", 3)
    try chat.expect(second, [])
    try chat.expect(above, ["value {\"b\":{\"c\":1}}", "value {\"b\":{\"c\":2}}", "value {\"b\":{\"c\":3}}"])
    try chat.expect(below, ["value 1", "value 2", "value 3"])
    #expect(first.errors == [] && second.errors == [])
    chat.tree.root.removeAllObservers()
    try chat.expect(above, ["value {\"b\":4}"]) { try chat.set("a/b", 4) }
    withExtendedLifetime((two, three, four)) {}
  }

  /// The rest of a delivery is not reported after the token was invalidated.
  @Test func aHandlerMayEndItsObservation() throws {
    let chat = try TreeFixture()
    try chat.set("r", ["a": 1, "b": 2, "c": 3])
    let events = ObservedEvents()
    let token = Lock<NotificationToken?>(nil)
    let begun = try chat.tree.reference("r").observe(.children, on: DispatchQueue(label: "events")) { event in
      events.note(event)
      if case .childAdded(let child, _) = event, child.key == "b" { token.withLock { $0?.invalidate() } }
    }
    token.withLock { $0 = begun }
    try chat.deliver()
    if events.take().count == 3 {
      // The first delivery came before the token was known.
      try chat.expect(events, ["- b null"]) { try chat.tree.reference("r/b").removeValueAndWait() }
      try chat.expect(events, ["+ b 1 after a"]) {
        try chat.tree.reference("r").updateChildValuesAndWait(["b": 1, "d": 2, "e": 3])
      }
    }
    try chat.expect(events, []) { try chat.set("r/f", 1) }
  }

  @Test func aHandlerMayWriteObserveAndEndOthers() throws {
    let chat = try TreeFixture()
    let (other, one) = try chat.observe("other")
    _ = other.take()
    let (place, ended) = (try chat.tree.reference("n"), try chat.tree.reference("other"))
    let (events, inner) = (ObservedEvents(), ObservedEvents())
    let tokens = Lock<[NotificationToken]>([])
    let token = place.observe { event in
      events.note(event)
      guard case .value(let value) = event else { return }
      let next = (value.json.int ?? 0) + 1
      if next == 1 {
        ended.removeAllObservers()
        let begun = chat.tree.root.observe { inner.note($0) }
        tokens.withLock { $0.append(begun) }
      }
      if next <= 3 { try? place.setValueAndWait(.int(next)) }
    }
    try chat.expect(events, ["value null", "value 1", "value 2", "value 3"])
    #expect(inner.take().last == "value {\"n\":3}")
    try chat.expect(other, []) { try chat.set("other", 1) }
    withExtendedLifetime((one, token, tokens)) {}
  }

  /// A handler that is called once for many commits receives the difference of the first and the last state.
  @Test func aSlowHandlerReceivesTheNetDifference() throws {
    let chat = try TreeFixture()
    try chat.set("r", ["a": 1, "b": 2])
    let events = ObservedEvents()
    let (entered, free) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let queue = DispatchQueue(label: "slow")
    let token = try chat.tree.reference("r").observe([.children, .value], on: queue) { event in
      if events.snapshots.isEmpty {
        entered.signal()
        free.wait()
      }
      events.note(event)
    }
    entered.wait()
    for value in 0..<20 { try chat.set("r/b", .int(Int64(value))) }
    try chat.set("r/c", 1)
    try chat.set("r/d", 1)
    try chat.set("r/c", nil)
    try chat.set("r/a", nil)
    try chat.set("r/b", 2)
    free.signal()
    try chat.expect(
      events,
      [
        "+ a 1 after nil", "+ b 2 after a", "value {\"a\":1,\"b\":2}", "- a null", "+ d 1 after b",
        "value {\"b\":2,\"d\":1}",
      ]
    )
    withExtendedLifetime(token) {}
  }

  @Test func commitsWithinTheIntervalAreCombined() throws {
    let clock = ManualClock()
    var repository = ChatRepository()
    repository.storeOptions.intervalClock = clock.intervals
    let chat = try TreeFixture(repository)
    let (events, token) = try chat.observe("n", every: .seconds(60))
    try chat.expect(events, ["value null"])
    for number in 1...3 { try chat.set("n", .int(Int64(number))) }
    #expect(events.take() == [])
    clock.advance(by: 61)
    try chat.expect(events, ["value 3"])
    withExtendedLifetime(token) {}
  }

  @Test(arguments: [StoreKind.inMemory, .onDisk]) func aWriteMayBeSilentForSome(_ kind: StoreKind) throws {
    let chat = try TreeFixture(kind)
    try chat.set("r", ["a": 1])
    let (silent, token) = try chat.observe("r", [.children, .value])
    let (other, two) = try chat.observe("r")
    _ = (silent.take(), other.take())
    let place = try chat.tree.reference("r/b")
    try chat.store.write(withoutNotifying: [token]) { try chat.tree.in($0).setValue(2, at: place) }
    try chat.expect(silent, [])
    try chat.expect(other, ["value {\"a\":1,\"b\":2}"])
    struct Failure: Error {}
    try? chat.store.write(withoutNotifying: [token]) { transaction in
      try chat.tree.in(transaction).setValue(3, at: place)
      throw Failure()
    }
    try chat.expect(silent, ["- a null", "value {\"b\":2}"]) { try chat.set("r/a", nil) }
    withExtendedLifetime(two) {}
  }

  @Test @MainActor func handlersAreCalledWhereTheCallerWants() async throws {
    actor Collector {
      var events: [String] = []
      func note(_ event: TreeEvent) { events.append(ObservedEvents.text(event).0) }
    }
    let chat = try TreeFixture()
    let collector = Collector()
    let (events, queued) = (ObservedEvents(), DispatchQueue(label: "queue"))
    let room = try chat.tree.reference("r")
    let tokens = [
      room.observe(on: collector) { $0.note($1) },
      room.observe(on: MainActor.shared) { event in
        MainActor.assertIsolated(); events.note(event)
      },
      room.observe(.childAdded, on: MainActor.shared) { _, event in events.note(event) },
      room.observe(on: queued) { event in
        dispatchPrecondition(condition: .onQueue(queued)); events.note(event)
      },
      room.observe(on: globalConcurrentExecutor) { events.note($0) },
    ]
    try await room.setValue(["a": 1])
    let core = try chat.store.store().core()
    // The main actor must be free for its handlers.
    await Task.detached { core.hub.waitUntilDelivered() }.value
    let last = await collector.events.last
    #expect(last == "value {\"a\":1}")
    let lines = events.take()
    #expect(lines.filter { $0 == "value {\"a\":1}" }.count == 3)
    #expect(lines.filter { $0 == "+ a 1 after nil" }.count == 1)
    withExtendedLifetime(tokens) {}
  }

  @Test(arguments: StoreKind.allCases) func eventsAreASequence(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    try await chat.tree.reference("r").setValue(["a": 1, "b": 2])
    let room = try chat.tree.reference("r")
    let iterator = room.events([.children, .value]).makeAsyncIterator()
    func next() async throws -> String? { try await iterator.next().map { ObservedEvents.text($0).0 } }
    // Several events of one delivery come one after another.
    #expect(try await next() == "+ a 1 after nil")
    try await room.child("c").setValue(3)
    #expect(try await next() == "+ b 2 after a")
    #expect(try await next() == "value {\"a\":1,\"b\":2}")
    #expect(try await next() == "+ c 3 after b")
    #expect(try await next() == "value {\"a\":1,\"b\":2,\"c\":3}")
    guard case .value(let snapshot) = try await room.singleEvent() else { return #expect(Bool(false)) }
    #expect(snapshot.json == ["a": 1, "b": 2, "c": 3] && snapshot.reference == room)
    guard case .childAdded(let child, nil) = try await room.singleEvent(.childAdded) else {
      return #expect(Bool(false))
    }
    #expect(child.key == "a")
    let waiting = Task { try await room.singleEvent(.childRemoved) }
    try await Task.sleep(for: .milliseconds(1))
    waiting.cancel()
    do {
      _ = try await waiting.value
      Issue.record("expected an error")
    } catch {
      #expect((error as? FiefError)?.code == .cancelled)
    }
  }
}
