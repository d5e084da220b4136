import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Testing

/// Queries of clients.
struct RuleQueryTests {
  private static let data: JSON = [
    "docs": ["a": ["owner": "ada"], "b": ["owner": "bo"], "c": ["owner": "ada"]]
  ]

  /// Exact case 9, the query.
  @Test func aQueryNeedsTheRightToItsPlace() throws {
    let probe = try RuleProbe(["users": ["me": ["x": 1]]])
    let client = try probe.tree(["rules": ["users": ["$u": [".read": "auth.uid == $u"]]]]).client(
      as: RuleAuth(uid: "me")
    )
    expectDenied { try client.reference("users").queryOrderedByKey().queryEqual(toValue: "me").snapshot() }
    expectDenied { try client.reference("users").queryLimited(toFirst: 1).count() }
    expectDenied { try client.reference("users").queryOrderedByKey().explain() }
    let mine = try client.reference("users/me").queryOrderedByKey()
    #expect(try mine.count() == 1 && mine.snapshot().children.first?.reference.value() == 1)
  }

  /// Exact case 10.
  @Test(arguments: StoreKind.allCases) func aRuleSeesTheQuery(_ kind: StoreKind) throws {
    let probe = try RuleProbe(Self.data, kind)
    let rule = "query.orderByChild == 'owner' && query.equalTo == auth.uid && query.limitToFirst <= 100"
    let client = try probe.tree(["rules": ["docs": [".read": .string(rule)]]]).client(
      as: RuleAuth(uid: "ada")
    )
    let docs = try client.reference("docs")
    let own = try docs.queryOrdered(byChild: "owner").queryEqual(toValue: "ada")
    #expect(try own.queryLimited(toFirst: 100).snapshot().children.map(\.key) == ["a", "c"])
    #expect(try own.queryLimited(toFirst: 100).count() == 2)
    expectDenied { try own.queryLimited(toFirst: 101).snapshot() }
    expectDenied { try own.queryLimited(toLast: 1).snapshot() }
    expectDenied { try own.snapshot() }
    expectDenied { try docs.value() }
    expectDenied {
      try docs.queryOrdered(byChild: "owner").queryEqual(toValue: "bo").queryLimited(toFirst: 1).snapshot()
    }
    expectDenied {
      try docs.queryOrdered(byChild: "owner").queryStarting(atValue: "ada").queryLimited(toFirst: 1)
        .snapshot()
    }
    expectDenied {
      try docs.queryOrdered(byChild: "other").queryEqual(toValue: "ada").queryLimited(toFirst: 1).snapshot()
    }
    client.signOut()
    expectDenied { try own.queryLimited(toFirst: 100).snapshot() }
  }

  @Test func eachPartOfAQueryHasItsMember() throws {
    let probe = try RuleProbe(Self.data)
    func isAllowed(_ rule: String, _ query: (TreeReference) throws -> TreeQuery) throws -> Bool {
      let client = try probe.tree(["rules": ["docs": [".read": .string(rule)]]]).client(as: nil)
      do { return try query(client.reference("docs")).count() >= 0 } catch let error as FiefError
        where error.code == .permissionDenied
      { return false }
    }
    let all = [
      "orderByKey", "orderByChild", "orderByValue", "equalTo", "startAt", "endAt", "limitToFirst",
      "limitToLast",
    ]
    func only(_ members: [String: String]) -> String {
      all.map { "query.\($0) == \(members[$0] ?? "null")" }.joined(separator: " && ")
    }
    #expect(try isAllowed(only(["orderByKey": "true"])) { try $0.queryOrderedByKey() })
    #expect(
      try isAllowed(only(["orderByValue": "true", "startAt": "1"])) {
        try $0.queryOrderedByValue().queryStarting(atValue: 1)
      }
    )
    #expect(
      try isAllowed(only(["orderByChild": "'a/b'", "endAt": "'x'"])) {
        try $0.queryOrdered(byChild: "a/b").queryEnding(atValue: "x")
      }
    )
    #expect(
      try isAllowed(only(["orderByValue": "true"])) {
        try $0.queryOrderedByValue().queryStarting(afterValue: 1).queryEnding(beforeValue: 2)
      }
    )
    #expect(
      try isAllowed(only(["orderByValue": "true", "equalTo": "2.5"])) {
        try $0.queryOrderedByValue().queryEqual(toValue: 2.5)
      }
    )
    #expect(try isAllowed(only(["limitToLast": "3"])) { try $0.queryLimited(toLast: 3) })
    #expect(
      try isAllowed(only(["limitToFirst": "3", "orderByKey": "true"])) {
        try $0.queryOrderedByKey().queryLimited(toFirst: 3)
      }
    )
    // A reference without an order or a limit is not a query for the rules.
    let client = try probe.tree(["rules": ["docs": [".read": .string(only([:]))]]]).client(as: nil)
    #expect(try client.reference("docs").exists() && client.reference("docs/a").value() == ["owner": "ada"])
  }

  @Test func aRuleAboveThePlaceSeesNoQuery() throws {
    let probe = try RuleProbe(Self.data)
    let rules: JSON = [
      "rules": [".read": "query.limitToFirst == 1", "docs": ["$d": [".read": "query.limitToFirst == 2"]]]
    ]
    let client = try probe.tree(rules).client(as: nil)
    #expect(try client.root.queryLimited(toFirst: 1).count() == 1)
    expectDenied { try client.reference("docs").queryLimited(toFirst: 1).count() }
    #expect(try client.reference("docs/a").queryLimited(toFirst: 2).count() == 1)
  }

  @Test func rulesInSwiftSeeTheQuery() throws {
    let rules = try AccessRules().read("docs") { rule in
      rule.query.orderByChild == "owner" && rule.query.equalTo == .string(rule.auth?.uid ?? "")
        && (rule.query.limitToFirst ?? .max) <= 100
        && rule.query.orderByKey == nil && rule.query.orderByValue == nil && rule.query.startAt == .null
        && rule.query.endAt == .null
        && rule.query.limitToLast == nil
    }
    let probe = try RuleProbe(Self.data)
    let client = JSONTree(in: probe.chat.store, rules: rules).client(as: RuleAuth(uid: "ada"))
    let own = try client.reference("docs").queryOrdered(byChild: "owner").queryEqual(toValue: "ada")
    #expect(try own.queryLimited(toFirst: 100).count() == 2)
    expectDenied { try own.count() }
  }

  private static let rooms: JSON = [
    "rooms": [
      "r1": ["messages": ["m1": ["at": 1, "by": "ada"]]], "r2": ["messages": ["m2": ["at": 2, "by": "bo"]]],
    ]
  ]

  @Test(arguments: StoreKind.allCases) func aGroupNeedsItsRuleOrTheRuleOfTheRoot(_ kind: StoreKind)
    async throws
  {
    let probe = try RuleProbe(Self.rooms, kind)
    let index: JSON = [".indexOn": "at"]
    let tree = try probe.tree(["rules": [:], "groups": ["messages": index]])
    while try tree.indexes().isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    func query(_ rules: JSON, _ auth: RuleAuth? = nil) throws -> TreeQuery {
      let client = try probe.tree(rules).client(as: auth)
      return try client.group("messages").queryOrdered(byChild: "at").queryLimited(toFirst: 5)
    }
    // Neither the rules of the places nor an index grants it.
    let everywhere: JSON = ["rooms": ["$room": [".read": true, "messages": [".read": true]]]]
    expectDenied { try query(["rules": everywhere, "groups": ["messages": index]]).snapshot() }
    expectDenied {
      try query(["rules": everywhere, "groups": ["other": [".read": true], "messages": index]]).count()
    }
    expectDenied {
      try query(["rules": [:], "groups": ["messages": [".read": false, ".indexOn": "at"]]]).explain()
    }
    let rule: JSON = [".read": "auth.uid == 'ada' && query.limitToFirst == 5", ".indexOn": "at"]
    expectDenied { try query(["rules": [:], "groups": ["messages": rule]]).count() }
    expectDenied { try query(["rules": [:], "groups": ["messages": rule]], RuleAuth(uid: "bo")).snapshot() }
    let allowed = try query(["rules": [:], "groups": ["messages": rule]], RuleAuth(uid: "ada"))
    #expect(try allowed.count() == 2 && allowed.snapshot().children.map(\.key) == ["m1", "m2"])
    // The snapshots of a group belong to the client, too.
    let child = try #require(try allowed.snapshot().children.first)
    expectDenied { try child.reference.value() }
    let root = try query(["rules": [".read": true], "groups": ["messages": index]])
    #expect(
      try root.count() == 2 && root.snapshot().children.first?.reference.value() == ["at": 1, "by": "ada"]
    )
    // A rule of the root that depends on a query has none here.
    expectDenied {
      try query(["rules": [".read": "query.limitToFirst == 5"], "groups": ["messages": index]]).count()
    }
    try probe.chat.store.read { snapshot in
      let all = try probe.chat.tree.group("messages")
      expectDenied { try tree.client(as: nil).in(snapshot).snapshot(of: all) }
      #expect(try tree.in(snapshot).count(of: allowed) == 2)
    }
  }

  @Test func rulesInSwiftGrantGroups() throws {
    let probe = try RuleProbe(Self.rooms)
    let rules = try AccessRules().group("messages", on: "at").read(group: "messages") { rule in
      rule.auth?.uid == "ada" && rule.data.hasChild("rooms/r1") && rule.query.limitToLast == 1
    }
    let client = JSONTree(in: probe.chat.store, rules: rules).client(as: RuleAuth(uid: "ada"))
    let messages = try client.group("messages").queryOrdered(byChild: "at")
    #expect(try messages.queryLimited(toLast: 1).count() == 1)
    expectDenied { try messages.count() }
    expectDenied { try client.group("other").count() }
    expectCode(.malformedRules) { try rules.read(group: "messages") { _ in true } }
    expectCode(.malformedRules) { try rules.read(group: "a/b") { _ in true } }
  }
}
