import Fief
import FiefTesting
import FiefTree
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
