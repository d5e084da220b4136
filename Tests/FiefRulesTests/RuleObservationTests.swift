import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import Testing

/// Observations and transactions of clients, which end when the rules no longer allow them.
@Suite(.timeLimit(.minutes(5))) struct RuleObservationTests {
  private static let ada = RuleAuth(uid: "ada")
  private static let rules: JSON = [
    "rules": [
      "rooms": [
        "$room": [
          ".read": "root.child('members').child($room).child(auth.uid).val() == true",
          ".write": "auth != null", ".validate": "newData.hasChildren(['open'])",
        ]
      ],
      "news": [".read": "now < 2000000"],
    ]
  ]

  /// A tree with the rules, and a client.
  private struct Fixture {
    let probe: RuleProbe
    let client: TreeClient
    var chat: TreeFixture { probe.chat }

    init(_ kind: StoreKind = .inMemory, clock: (@Sendable () -> Date)? = nil) throws {
      probe = try RuleProbe(
        ["rooms": ["r1": ["open": true]], "members": ["r1": ["ada": true]], "news": 1],
        kind,
        clock: clock
      )
      client = try probe.tree(RuleObservationTests.rules).client(as: RuleObservationTests.ada)
    }

    func observe(_ path: String, _ events: TreeEvents = .value) throws -> (ObservedEvents, NotificationToken)
    {
      let noted = ObservedEvents()
      let token = try client.reference(path).observe(events, onError: { noted.note($0) }, { noted.note($0) })
      try chat.deliver()
      return (noted, token)
    }
  }

  @Test(arguments: StoreKind.allCases) func signingOutEndsAnObservation(_ kind: StoreKind) throws {
    let fixture = try Fixture(kind)
    let (noted, token) = try fixture.observe("rooms/r1")
    #expect(noted.take() == ["value {\"open\":true}"])
    try fixture.chat.expect(noted, ["value {\"open\":false}"]) {
      try fixture.chat.set("rooms/r1/open", false)
    }
    // The same user with a new token.
    try fixture.chat.expect(noted, []) {
      fixture.client.update(RuleAuth(uid: "ada", token: ["renewed": true]))
    }
    try fixture.chat.expect(noted, ["value {\"open\":1}"]) { try fixture.chat.set("rooms/r1/open", 1) }
    try fixture.chat.expect(noted, []) { fixture.client.signOut() }
    noted.expectEnd()
    try fixture.chat.expect(noted, []) { try fixture.chat.set("rooms/r1/open", 2) }
    fixture.client.update(Self.ada)
    try fixture.chat.expect(noted, []) { try fixture.chat.set("rooms/r1/open", 3) }
    noted.expectEnd()
    withExtendedLifetime(token) {}
  }

  @Test(arguments: StoreKind.allCases, [TreeEvents.value, .children])
  func aChangeOfTheDataThatARuleReadEndsAnObservation(_ kind: StoreKind, _ events: TreeEvents) throws {
    let fixture = try Fixture(kind)
    let (noted, token) = try fixture.observe("rooms/r1", events)
    _ = noted.take()
    try fixture.chat.expect(noted, []) { try fixture.chat.set("members/r1/bo", true) }
    #expect(noted.errors == [])
    // The observed place was not written.
    try fixture.chat.expect(noted, []) { try fixture.chat.set("members/r1/ada", nil) }
    noted.expectEnd()
    withExtendedLifetime(token) {}
  }

  @Test func nothingIsDeliveredThatTheRulesRefuse() throws {
    let fixture = try Fixture()
    let (noted, token) = try fixture.observe("rooms/r1")
    _ = noted.take()
    // One commit changes the value and ends the permission.
    try fixture.chat.expect(noted, []) {
      try fixture.chat.tree.root.updateChildValuesAndWait(["rooms/r1/open": "secret", "members/r1": nil])
    }
    noted.expectEnd()
    withExtendedLifetime(token) {}
  }

  @Test func anObservationWithoutPermissionHasOnlyAnError() async throws {
    let fixture = try Fixture()
    for path in ["rooms", "rooms/r2", "members"] {
      let (noted, token) = try fixture.observe(path)
      noted.expectEnd()
      #expect(noted.take() == [], "\(path)")
      withExtendedLifetime(token) {}
    }
    let iterator = try fixture.client.reference("rooms").events().makeAsyncIterator()
    await #expect { _ = try await iterator.next() } throws: { ($0 as? FiefError)?.code == .permissionDenied }
    await #expect { _ = try await fixture.client.root.singleEvent() } throws: {
      ($0 as? FiefError)?.code == .permissionDenied
    }
    let event = try await fixture.client.reference("rooms/r1").singleEvent()
    guard case .value(let snapshot) = event else { return #expect(Bool(false)) }
    #expect(try snapshot.child("open").reference.value() == true)
  }

  @Test func rulesAboutTheTimeAreEvaluatedBeforeEachDelivery() throws {
    let now = Lock(Date(timeIntervalSince1970: 1000))
    let fixture = try Fixture(clock: { now.withLock { $0 } })
    let (noted, token) = try fixture.observe("news")
    #expect(noted.take() == ["value 1"])
    now.withLock { $0 = Date(timeIntervalSince1970: 2000) }
    // Without a commit nothing is delivered.
    try fixture.chat.expect(noted, [])
    #expect(noted.errors == [])
    try fixture.chat.expect(noted, []) { try fixture.chat.set("news", 2) }
    noted.expectEnd()
    withExtendedLifetime(token) {}
  }

  /// Exact case 10, the listener.
  @Test(arguments: StoreKind.allCases, [TreeEvents.value, .children])
  func signingOutEndsTheObservationOfAQuery(_ kind: StoreKind, _ events: TreeEvents) throws {
    let probe = try RuleProbe(["docs": ["a": ["owner": "ada"], "b": ["owner": "bo"]]], kind)
    let rule = "query.orderByChild == 'owner' && query.equalTo == auth.uid && query.limitToFirst <= 100"
    let client = try probe.tree(["rules": ["docs": [".read": .string(rule)]]]).client(as: Self.ada)
    let own = try client.reference("docs").queryOrdered(byChild: "owner").queryEqual(toValue: "ada")
    for query in [own, try own.queryLimited(toFirst: 101)] {
      let noted = ObservedEvents()
      let token = query.observe(events, onError: { noted.note($0) }, { noted.note($0) })
      noted.expectEnd()
      #expect(noted.take() == [])
      withExtendedLifetime(token) {}
    }
    let noted = ObservedEvents()
    let token = try own.queryLimited(toFirst: 100).observe(
      events,
      onError: { noted.note($0) },
      { noted.note($0) }
    )
    try probe.chat.deliver()
    #expect(noted.take().count == 1)
    try probe.chat.expect(noted, []) { client.signOut() }
    noted.expectEnd()
    try probe.chat.expect(noted, []) { try probe.chat.set("docs/c", ["owner": "ada"]) }
    noted.expectEnd()
    withExtendedLifetime(token) {}
  }

  @Test(arguments: StoreKind.allCases) func aChildThatLeavesAQueryShowsNothingMore(_ kind: StoreKind) throws {
    let probe = try RuleProbe(["docs": ["a": ["owner": "ada", "text": 1], "b": ["owner": "ada"]]], kind)
    let rule = "query.orderByChild == 'owner' && query.equalTo == auth.uid"
    func observe(_ rules: JSON) throws -> (ObservedEvents, NotificationToken) {
      let client = try probe.tree(["rules": ["docs": rules]]).client(as: Self.ada)
      let noted = ObservedEvents()
      let own = try client.reference("docs").queryOrdered(byChild: "owner").queryEqual(toValue: "ada")
      let token = own.observe(.childRemoved, onError: { noted.note($0) }, { noted.note($0) })
      try probe.chat.deliver()
      return (noted, token)
    }
    let (own, first) = try observe([".read": .string(rule)])
    let (other, second) = try observe([
      ".read": .string(rule), "$d": [".read": "data.child('shared').val() == true"],
    ])
    // The next owner's text is not for the last one.
    try probe.chat.set("docs/a", ["owner": "bo", "text": "secret"])
    try probe.chat.expect(own, ["- a null"])
    try probe.chat.expect(other, ["- a null"])
    // A rule of the child grants it.
    try probe.chat.set("docs/b", ["owner": "bo", "shared": true])
    try probe.chat.expect(own, ["- b null"])
    try probe.chat.expect(other, ["- b {\"owner\":\"bo\",\"shared\":true}"])
    #expect(own.errors == [] && other.errors == [])
    withExtendedLifetime((first, second)) {}
  }

  @Test func theObservationOfAGroupEndsWithItsRule() throws {
    let probe = try RuleProbe(["admins": ["ada": true], "rooms": ["r1": ["messages": ["m1": 1]]]])
    let groups: JSON = [
      "messages": [".indexOn": ".value", ".read": "root.child('admins').hasChild(auth.uid)"]
    ]
    let client = try probe.tree(["rules": [:], "groups": groups]).client(as: Self.ada)
    let noted = ObservedEvents()
    let token = try client.group("messages").queryOrderedByValue().observe(
      .children,
      onError: { noted.note($0) },
      { noted.note($0) }
    )
    try probe.chat.expect(noted, ["+ m1 1 after nil"])
    try probe.chat.expect(noted, []) { try probe.chat.set("admins/ada", nil) }
    noted.expectEnd()
    let refused = ObservedEvents()
    let other = try client.group("messages").observe(onError: { refused.note($0) }, { refused.note($0) })
    refused.expectEnd()
    #expect(refused.take() == [])
    withExtendedLifetime((token, other)) {}
  }

  @Test func aClientEndsItsOwnObservationsOnly() throws {
    let fixture = try Fixture()
    let (own, first) = try fixture.observe("rooms/r1")
    let (below, second) = try fixture.observe("rooms/r1/open")
    let (program, third) = try fixture.chat.observe("rooms/r1")
    let client = try fixture.probe.tree(Self.rules).client(as: Self.ada)
    for noted in [own, below, program] { _ = noted.take() }
    try client.reference("rooms/r1").removeAllObservers()
    try fixture.chat.expect(own, ["value {\"open\":1}"]) { try fixture.chat.set("rooms/r1/open", 1) }
    try fixture.client.reference("rooms/r1").removeAllObservers()
    try fixture.chat.expect(own, []) { try fixture.chat.set("rooms/r1/open", 2) }
    #expect(below.take() == ["value 1", "value 2"] && program.take().count == 2)
    try fixture.chat.tree.reference("rooms/r1/open").removeAllObservers()
    try fixture.chat.expect(below, []) { try fixture.chat.set("rooms/r1/open", 3) }
    #expect(program.take().count == 1 && own.errors + below.errors + program.errors == [])
    withExtendedLifetime((first, second, third)) {}
  }

  @Test func removingTheObserversOfTheRootKeepsObservationsOfGroups() throws {
    let probe = try RuleProbe(["rooms": ["r1": ["messages": ["m1": 1]]]])
    let rules: JSON = ["rules": [".read": true], "groups": ["messages": [".indexOn": ".value"]]]
    let client = try probe.tree(rules).client(as: nil)
    let (group, root) = (ObservedEvents(), ObservedEvents())
    let tokens = [
      try client.group("messages").queryOrderedByValue().observe(
        .childAdded,
        onError: { group.note($0) },
        { group.note($0) }
      ), client.root.observe(.childAdded, onError: { root.note($0) }, { root.note($0) }),
    ]
    try probe.chat.expect(group, ["+ m1 1 after nil"])
    #expect(root.take().count == 1)
    client.root.removeAllObservers()
    try probe.chat.expect(group, ["+ m2 2 after rooms/r1/messages/m1"]) {
      try probe.chat.tree.root.updateChildValuesAndWait(["rooms/r1/messages/m2": 2, "new": 1])
    }
    #expect(root.take() == [] && group.errors + root.errors == [])
    withExtendedLifetime(tokens) {}
  }

  @Test func manyObservationsOfAClientEnd() throws {
    let fixture = try Fixture()
    let all = try (0..<100).map { _ in try fixture.observe("rooms/r1") }
    for (index, observed) in all.enumerated() where index % 2 == 0 { observed.1.invalidate() }
    fixture.client.signOut()
    try fixture.chat.deliver()
    for (index, observed) in all.enumerated() {
      if index % 2 == 1 { observed.0.expectEnd() } else { #expect(observed.0.errors == []) }
    }
  }

  @Test(arguments: StoreKind.allCases) func aTransactionNeedsBothRights(_ kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    let room = try fixture.client.reference("rooms/r1")
    let result = try await room.runTransaction { value in
      value["count"] = 1
      return .commit
    }
    #expect(try result.committed && room.value() == ["open": true, "count": 1])
    // The result is validated.
    expectDenied {
      try room.runTransactionAndWait { value in
        value = ["count": 2]
        return .commit
      }
    }
    let runs = Lock(0)
    for path in ["rooms/r2", "members", "news"] {
      let place = try fixture.client.reference(path)
      expectDenied {
        try place.runTransactionAndWait { value in
          if path != "news" { runs.withLock { $0 += 1 } }
          value = ["open": true]
          return .commit
        }
      }
    }
    expectDenied { try fixture.client.reference("rooms/r2").runTransactionAndWait { _ in .abort } }
    // Without a result there is nothing to write. The rules would refuse this value.
    let aborted = try room.runTransactionAndWait { value in
      value = 2
      return .abort
    }
    #expect(!aborted.committed && aborted.snapshot.json == ["open": true, "count": 1])
    // A client that may not read does not learn the value.
    #expect(runs.withLock { $0 } == 0)
    #expect(
      try fixture.chat.get("rooms") == ["r1": ["open": true, "count": 1]] && fixture.chat.get("news") == 1
    )
  }
}

extension ObservedEvents {
  /// Waits for the error that ends the observation.
  fileprivate func expectEnd(sourceLocation: SourceLocation = #_sourceLocation) {
    while errors.isEmpty { Thread.sleep(forTimeInterval: 0.001) }
    #expect(errors == [.permissionDenied], sourceLocation: sourceLocation)
  }
}
