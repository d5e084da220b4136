import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import Testing

/// What clients may read and write.
struct RuleAccessTests {
  private static let ada = RuleAuth(uid: "ada")

  @Test(arguments: StoreKind.allCases) func withoutRulesAClientMustBeSignedIn(_ kind: StoreKind) async throws
  {
    let chat = try TreeFixture(kind)
    let client = chat.tree.client(as: nil)
    let place = try client.reference("a")
    expectDenied { try place.value() }
    expectDenied { try place.setValueAndWait(1) }
    client.update(Self.ada)
    #expect(client.auth == Self.ada)
    try await place.setValue(1)
    #expect(try place.value() == 1 && client.root.keys() == ["a"])
    client.signOut()
    #expect(client.auth == nil)
    expectDenied { try place.exists() }
    expectDenied { try place.removeValueAndWait() }
    #expect(try chat.whole() == ["a": 1])
  }

  /// Exact case 9, without the query.
  @Test(arguments: StoreKind.allCases) func grantsHoldForEverythingBelow(_ kind: StoreKind) throws {
    let probe = try RuleProbe(["users": ["me": ["x": 1, "y": 2], "you": ["x": 3]]], kind)
    let rules: JSON = ["rules": ["users": ["$u": [".read": "auth.uid == $u", "x": [".read": false]]]]]
    let client = try probe.tree(rules).client(as: RuleAuth(uid: "me"))
    expectDenied { try client.reference("users").value() }
    expectDenied { try client.reference("users").keys() }
    expectDenied { try client.reference("users").childCount() }
    expectDenied { try client.root.exists() }
    expectDenied { try client.reference("users/you").value() }
    expectDenied { try client.reference("users/you/x").value() }
    expectDenied { try client.reference("others").exists() }
    let me = try client.reference("users/me")
    #expect(try me.value() == ["x": 1, "y": 2] && me.child("x").value() == 1 && me.keys() == ["x", "y"])
    #expect(try me.childCount() == 2 && me.exists() && !me.child("none/deeper").exists())
    #expect(try me.snapshot().child("x").reference.value() == 1)
    expectDenied { try me.parent?.value() }
    expectDenied { try me.setValueAndWait(1) }
    #expect(try probe.chat.tree.reference("users/you/x").value() == 3)
  }

  @Test func namesHideTheirWildcard() throws {
    let probe = try RuleProbe(["a": ["b": 1, "c": 1]])
    let client = try probe.tree(["rules": ["a": ["$x": [".read": true], "b": [".write": true]]]]).client(
      as: nil
    )
    #expect(try client.reference("a/c").value() == 1)
    expectDenied { try client.reference("a/b").value() }
    expectDenied { try client.reference("a/c").setValueAndWait(2) }
    try client.reference("a/b").setValueAndWait(2)
  }

  @Test(arguments: StoreKind.allCases) func aWriteIsGrantedAsAWhole(_ kind: StoreKind) async throws {
    let probe = try RuleProbe(["open": ["a": 1], "closed": ["b": 1]], kind)
    let client = try probe.tree(["rules": ["open": [".write": true], "closed": [".read": true]]]).client(
      as: nil
    )
    let before = try probe.chat.whole()
    await #expect(throws: FiefError.self) {
      try await client.root.updateChildValues(["open/a": 2, "open/c": 3, "closed/b": 4])
    }
    expectDenied { try client.root.setValueAndWait(1) }
    expectDenied { try client.root.removeValueAndWait() }
    expectDenied { try client.reference("closed/b").removeValueAndWait() }
    #expect(try probe.chat.whole() == before)
    try await client.root.updateChildValues(["open/a": 2, "open/c": 3])
    try await client.reference("open/d/e").setValue(5)
    // An empty update asks for nothing.
    try await client.root.updateChildValues([:])
    #expect(try probe.chat.whole() == ["open": ["a": 2, "c": 3, "d": ["e": 5]], "closed": ["b": 1]])
  }

  @Test func validationsDoNotCascade() throws {
    let probe = try RuleProbe()
    let rules: JSON = [
      "rules": [
        ".write": true, ".read": true,
        "users": [
          "$u": [
            ".validate": "newData.hasChildren(['name'])",
            "name": [".validate": "newData.isString() && newData.val().length < 5"],
            "age": [".validate": "newData.isNumber()"], "$other": [".validate": false],
            "tags": ["$t": [".validate": "newData.val() == true"]],
          ]
        ],
      ]
    ]
    let client = try probe.tree(rules).client(as: nil)
    let user = try client.reference("users/ada")
    try user.setValueAndWait(["name": "Ada", "age": 36])
    expectDenied { try user.setValueAndWait(["age": 36]) }
    expectDenied { try user.setValueAndWait(["name": "Augusta"]) }
    expectDenied { try user.setValueAndWait(["name": "Ada", "x": 1]) }
    expectDenied { try user.child("name").setValueAndWait(1) }
    expectDenied { try user.child("x/y").setValueAndWait(1) }
    expectDenied { try user.setValueAndWait("Ada") }
    expectDenied { try client.root.setValueAndWait(["users": ["bo": ["age": 1]]]) }
    try user.child("age").setValueAndWait(.increment(1))
    try user.child("tags/a").setValueAndWait(true)
    expectDenied { try user.child("tags").setValueAndWait(["a": true, "b": false]) }
    // A place on the way to a written one is validated with the whole write.
    expectDenied { try client.reference("users/bo/age").setValueAndWait(1) }
    try client.root.updateChildValuesAndWait(["users/bo/age": 1, "users/bo/name": "Bo"])
    expectDenied { try client.root.updateChildValuesAndWait(["users/bo/age": 2, "users/bo/name": nil]) }
    // Removals are not validated, so a child that is required can be removed alone.
    try user.child("name").removeValueAndWait()
    #expect(try user.value() == ["age": 37, "tags": ["a": true]])
    try user.removeValueAndWait()
    #expect(try client.root.keys() == ["users"])
    // A value without validations is written as it is.
    try client.reference("other").setValueAndWait(["x": [1, 2]])
  }

  @Test(arguments: StoreKind.allCases) func rulesSeeTheStateBeforeAndAfterTheWrite(_ kind: StoreKind) throws {
    let probe = try RuleProbe(
      ["a": ["x": 1, "y": ["z": 2]], "leaf": 5, "count": 3, "big": 9_223_372_036_854_775_807],
      kind
    )
    func verdict(_ rule: String, _ values: FiefTree.JSONObject) throws -> Bool {
      let client = try probe.tree(["rules": [".write": .string(rule)]]).client(as: nil)
      // The write is taken back, so that every rule sees the same state.
      do {
        try probe.chat.store.write { transaction in
          let editor = try client.in(transaction)
          try editor.updateChildValues(values, at: client.root)
          throw CancellationError()
        }
      } catch is CancellationError {
        return true
      } catch let error as FiefError where error.code == .permissionDenied {
        #expect(!error.details.contains { $0.hasPrefix("reason") }, "\(rule): \(error.showingValues())")
        return false
      }
      return false
    }
    let table: [(String, FiefTree.JSONObject, Bool)] = [
      ("data.child('a/x').val() == 1 && newData.child('a/x').val() == 2", ["a/x": 2], true),
      ("root.child('a/x').val() == 1", ["a/x": 2], true),
      ("newData.child('a/y/z').val() == 2", ["a/x": 2], true),
      ("newData.child('a').hasChildren(['x', 'y/z', 'w'])", ["a/w": 2], true),
      ("newData.child('leaf').val() == 5", ["a/w": 2], true),
      ("newData.child('leaf/b').val() == 1 && newData.child('leaf').val() != 5", ["leaf/b": 1], true),
      ("newData.child('leaf').val() == 5", ["leaf/b": nil], true),
      ("newData.child('leaf/b').exists()", ["leaf": 6], false),
      ("newData.child('a').exists()", ["a/x": nil], true),
      ("newData.child('a').exists()", ["a/x": nil, "a/y/z": nil], false),
      ("newData.child('a').exists()", ["a/x": nil, "a/y": nil, "a/none": nil], false),
      ("newData.child('a').exists()", ["a": nil], false),
      ("newData.child('a/y').exists()", ["a/y/none": nil], true),
      ("newData.child('a/x').exists()", ["a": ["y": 1]], false),
      ("newData.child('a/y/q').val() == true", ["a": ["y": ["p": 1, "q": true, "r": 2]]], true),
      ("newData.child('a/1').val() == 'b'", ["a": ["a", "b"]], true),
      ("newData.child('a/y').hasChildren()", ["a": ["y": [:]]], false),
      ("newData.exists()", ["a": nil, "leaf": nil, "count": nil, "big": nil], false),
      ("newData.child('count').val() == 5", ["count": .increment(2)], true),
      ("newData.child('a').val() == 2", ["a": .increment(2)], true),
      ("newData.child('count').val() == 3.5", ["count": .increment(0.5)], true),
      ("newData.child('none/n').val() == 1", ["none/n": .increment(1)], true),
      ("newData.child('big').val() > 9223372036854775807", ["big": .increment(1)], true),
      ("newData.child('a').parent().child('count').val() == 4", ["count": .increment(1)], true),
      ("newData.child('v').val() == 7", ["v": [".value": 7]], true),
      ("newData.child('a/x').isString()", ["a": ["x": "1"]], true),
    ]
    for (rule, values, expected) in table {
      #expect(try verdict(rule, values) == expected, "\(rule) \(values)")
    }
  }

  /// Exact case 5.
  @Test(arguments: StoreKind.allCases) func timestampsOfAWriteAreNow(_ kind: StoreKind) throws {
    let probe = try RuleProbe(.null, kind) { Date(timeIntervalSince1970: 1_700_000_000.123) }
    let rules: JSON = ["rules": ["$a": [".write": "newData.val() == now", ".read": "now == 1700000000123"]]]
    let client = try probe.tree(rules).client(as: nil)
    try client.root.updateChildValuesAndWait(["a": .serverTimestamp, "b": .serverTimestamp])
    #expect(
      try client.reference("a").value() == 1_700_000_000_123
        && client.reference("b").value() == 1_700_000_000_123
    )
    try client.reference("c").setValueAndWait(1_700_000_000_123)
    expectDenied { try client.reference("c").setValueAndWait(1_700_000_000_122) }
    expectDenied {
      try client.root.updateChildValuesAndWait(["d": .serverTimestamp, "e": 1_700_000_000_122])
    }
    #expect(try !client.reference("d").exists())
  }

  @Test func anErrorShowsNothingOfTheData() throws {
    let probe = try RuleProbe(["secret": ["place": "hidden text"]])
    let client = try probe.tree([
      "rules": ["secret": ["$s": [".read": "data.val() < 1", ".write": "data.val() == newData.val()"]]]
    ]).client(as: nil)
    let place = try client.reference("secret/place")
    for (body, rule) in [
      ({ _ = try place.value() }, ".read"), ({ try place.setValueAndWait("x") }, ".write"),
    ] as [(() throws -> Void, String)] {
      do {
        try body()
        Issue.record("the rule is false")
      } catch let error as FiefError {
        #expect(error.code == .permissionDenied)
        #expect(error.details.contains("rule: secret/$s/\(rule)"))
        #expect(
          !"\(error)".contains("hidden") && !"\(error)".contains("place:") && !"\(error)".contains("needs")
        )
        #expect(!"\(error.showingValues())".contains("hidden text"))
        #expect("\(error.showingValues())".contains("path: secret/place"))
      }
    }
    do { _ = try client.reference("else").value() } catch let error as FiefError {
      #expect(error.details.last == "no .read rule is at the place or above it")
    }
  }

  @Test func rulesInSwiftDecideInTheSameWay() throws {
    let rules = try AccessRules()
      .read("users/$uid") { $0.auth?.uid == $0["uid"] }
      .write("users/$uid") { $0["$uid"] == $0.auth?.uid && $0.now > 0 }
      .validate("users/$uid/name") { $0.newData.isString && $0.newData.value != $0.data.value }
      .read("typo/$a") { $0["b"] != "" }
      .read("top") { $0.root.parent.exists || true }
      .read("path") { $0.root.child("a#").exists || true }
      .read("new") { $0.newData.exists || true }
      .read("thrown") { _ in throw CancellationError() }
      .write("links/$from/$to") { rule in
        rule.root.hasChildren(["users/\(rule["from"])", "users/\(rule["to"])"])
          && rule.data.parent.parent.hasChildren == false
          && rule.newData.parent.parent.hasChild("\(rule["from"])/\(rule["to"])") && rule.newData.isBoolean
          && !rule.newData.isNumber
      }
      .read("claims") {
        $0.auth?.token["admin"] == true && $0.auth?.provider == "test" && $0.query.limitToFirst == nil
      }
    let chat = try TreeFixture()
    let tree = JSONTree(in: chat.store, rules: rules)
    let client = tree.client(as: RuleAuth(uid: "\u{E9}", provider: "test", token: ["admin": true]))
    let me = try client.reference("users/\u{E9}")
    try me.child("name").setValueAndWait("E")
    #expect(try me.value() == ["name": "E"])
    expectDenied { try me.child("name").setValueAndWait("E") }
    expectDenied { try me.child("name").setValueAndWait(1) }
    // The same text for Swift, but another name.
    expectDenied { try client.reference("users/e\u{301}").value() }
    for path in ["typo/x", "top", "path", "new", "thrown"] {
      expectDenied { try client.reference(path).value() }
    }
    #expect(try !client.reference("claims").exists())
    expectDenied { try client.reference("links/\u{E9}/you").setValueAndWait(true) }
    try chat.set("users/you", 1)
    try client.reference("links/\u{E9}/you").setValueAndWait(true)
    expectDenied { try client.reference("links/you/\u{E9}").setValueAndWait(true) }
    client.signOut()
    expectDenied { try me.value() }
  }

  // SAFETY: the test uses the context on one thread only.
  private final class Kept: @unchecked Sendable {
    var context: RuleContext?
    var existed = false
  }

  @Test func aKeptContextReadsNothing() throws {
    let kept = Kept()
    let rules = try AccessRules().read("a") { rule in
      kept.context = rule
      kept.existed = rule.data.exists
      return true
    }
    let chat = try TreeFixture()
    try chat.set("a", 1)
    #expect(try JSONTree(in: chat.store, rules: rules).client(as: nil).reference("a").value() == 1)
    #expect(kept.existed)
    #expect(kept.context?.data.exists == false && kept.context?.root.child("a").value == .null)
  }

  @Test(arguments: StoreKind.allCases) func aWriteOfAClientSeesEarlierOperations(_ kind: StoreKind) throws {
    let probe = try RuleProbe(["n": 1], kind)
    let tree = try probe.tree([
      "rules": ["n": [".write": "newData.val() == data.val() + 1", ".read": "root.child('n').val() > 1"]]
    ])
    let client = tree.client(as: nil)
    let place = try client.reference("n")
    try probe.chat.store.write { transaction in
      let editor = try client.in(transaction)
      expectDenied { try editor.value(at: place) }
      try editor.setValue(2, at: place)
      try editor.setValue(3, at: place)
      #expect(try editor.value(at: place) == 3)
      expectDenied { try editor.setValue(3, at: place) }
      expectDenied { try editor.removeValue(at: place) }
      // The editor of a client checks every reference, and a reference of a client is checked in every editor.
      expectDenied { try editor.setValue(9, at: tree.reference("n")) }
      expectDenied { try tree.in(transaction).setValue(9, at: place) }
      try tree.in(transaction).setValue(9, at: tree.reference("n"))
    }
    try probe.chat.store.read { snapshot in
      let value = try client.in(snapshot).value(at: place)
      #expect(value == 9)
      expectDenied { try client.in(snapshot).value(at: tree.root) }
      expectDenied { try tree.in(snapshot).value(at: client.root) }
    }
    let other = try TreeFixture()
    expectCode(.foreignObject) { try probe.chat.store.read { try other.tree.client(as: nil).in($0) } }
  }

  @Test func referencesKeepTheirClient() throws {
    let chat = try TreeFixture()
    let client = chat.tree.client(as: nil)
    let place = try client.reference("a/b")
    #expect(try place == client.root.child("a").child("b") && place != chat.tree.reference("a/b"))
    #expect(try place != chat.tree.client(as: nil).reference("a/b"))
    expectDenied { try place.childByAutoId().setValueAndWait(1) }
    expectDenied { try place.parent?.setValueAndWait(1) }
  }

  @Test func publicAccessIsReportedAndEnds() throws {
    let events = Lock<[Date]>([])
    let now = Lock(Date(timeIntervalSince1970: 1000))
    var repository = ChatRepository()
    repository.storeOptions.clock = { now.withLock { $0 } }
    repository.storeOptions.eventHandler = { event in
      if case .publicAccess("chat", let date) = event { events.withLock { $0.append(date) } }
    }
    let store = try StoreFixture(repository, .onDisk)
    let end = Date(timeIntervalSince1970: 2000)
    let rules = try AccessRules.public(until: end).validate("n") { $0.newData.isNumber }
    let place = try JSONTree(in: store, rules: rules).client(as: nil).reference("n")
    try place.setValueAndWait(1)
    expectDenied { try place.setValueAndWait("1") }
    #expect(try place.value() == 1 && JSONTree(in: store, rules: rules).client(as: nil).root.keys() == ["n"])
    #expect(events.withLock { $0 } == [end])
    store.store().close()
    #expect(try place.exists())
    #expect(events.withLock { $0 } == [end, end])
    now.withLock { $0 = Date(timeIntervalSince1970: 1999.999) }
    #expect(try place.exists())
    now.withLock { $0 = end }
    expectDenied { try place.exists() }
    expectDenied { try place.setValueAndWait(2) }
  }

  @Test func lockedRulesGrantNothing() throws {
    let chat = try TreeFixture()
    let tree = JSONTree(in: chat.store, rules: .locked)
    let client = tree.client(as: Self.ada)
    expectDenied { try client.root.exists() }
    expectDenied { try client.reference("a").setValueAndWait(1) }
    try tree.reference("a").setValueAndWait(1)
    let readable = JSONTree(in: chat.store, rules: try AccessRules.locked.read("a") { _ in true })
    #expect(try readable.client(as: nil).reference("a").value() == 1)
  }

  /// An identifier with empty names leads to no place.
  @Test(arguments: ["", "/", "ada/", "/ada", "//", "ada//x", "r1/ada/"])
  func anIdentifierLeadsToNoOtherPlace(_ uid: String) throws {
    let probe = try RuleProbe(["members": ["r1": ["ada": ["x": true]]], "rooms": ["r1": 1]])
    let rules: [JSON] = [
      "root.child('members').child($room).hasChild(auth.uid)",
      "root.child('members/r1').child(auth.uid).exists()",
      "root.child('members/' + $room + '/' + auth.uid).exists()",
      "root.child('/members/r1/' + auth.uid).exists()", "root.child('members/r1').hasChild('/' + auth.uid)",
      "root.child('members').child($room).hasChildren([auth.uid])", "root.hasChild(auth.uid + '/members/r1')",
    ]
    for rule in rules {
      let tree = try probe.tree(["rules": ["rooms": ["$room": [".read": rule]]]])
      expectDenied { try tree.client(as: RuleAuth(uid: uid)).reference("rooms/r1").value() }
    }
    let inSwift = try AccessRules()
      .read("rooms/$room") { $0.root.child("members/r1").hasChild($0.auth?.uid ?? "") }
      .read("members") { $0.root.child("members").child("r1/\($0.auth?.uid ?? "")").exists }
    for auth in [RuleAuth(uid: uid), nil] {
      let client = JSONTree(in: probe.chat.store, rules: inSwift).client(as: auth)
      expectDenied { try client.reference("rooms/r1").value() }
      expectDenied { try client.reference("members").value() }
    }
    let ada = JSONTree(in: probe.chat.store, rules: inSwift).client(as: RuleAuth(uid: "ada"))
    #expect(try ada.reference("rooms/r1").value() == 1 && ada.reference("members").exists())
  }

  @Test(arguments: StoreKind.allCases) func filesAreTransferredByTheRules(_ kind: StoreKind) throws {
    let probe = try RuleProbe(["open": ["a": 1], "closed": ["b": 1]], kind)
    let client = try probe.tree(["rules": ["open": [".read": true, ".write": true]]]).client(as: nil)
    let tree = probe.chat.tree
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    for path in ["", "closed", "closed/b"] {
      expectDenied { try tree.exportJSONAndWait(from: client.reference(path), to: file.path) }
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
    try tree.exportJSONAndWait(from: client.reference("open"), to: file.path)
    #expect(try JSON(parsing: Data(contentsOf: file)) == ["a": 1])
    // The rules do not check imports, also where the client may write.
    for path in ["closed", "open"] {
      expectDenied { try tree.importJSONAndWait(from: file.path, to: client.reference(path)) }
    }
    #expect(try probe.chat.whole() == ["open": ["a": 1], "closed": ["b": 1]])
    try tree.importJSONAndWait(from: file.path, to: tree.reference("closed"))
    #expect(try probe.chat.get("closed") == ["a": 1])
  }

  @Test func aMigrationChecksReferencesOfClients() throws {
    try withFreshStores(.onDisk) {
      let old = ChatRepository()
      try JSONTree(in: old).root.setValueAndWait(["open": 1, "closed": 1])
      old.close()
      let next = ChatRepository(schemaVersion: 2) { migration, _ in
        let tree = JSONTree(
          in: ChatRepository(),
          rules: try AccessRules(json: Data(#"{"rules": {"open": {".read": true, ".write": true}}}"#.utf8))
        )
        let editor = try tree.in(migration)
        let client = tree.client(as: nil)
        try editor.setValue(2, at: client.reference("open"))
        #expect(try editor.value(at: client.reference("open")) == 2)
        expectDenied { try editor.value(at: client.reference("closed")) }
        expectDenied { try editor.setValue(2, at: client.reference("closed")) }
        expectDenied { try editor.updateChildValues(["open": 3, "closed": 3], at: client.root) }
        expectDenied { try editor.removeValue(at: client.root) }
      }
      #expect(try JSONTree(in: next).root.value() == ["open": 2, "closed": 1])
      next.close()
    }
  }
}
