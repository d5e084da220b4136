import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import TestEffort
import Testing

/// Imports from files and exports to files.
struct TransferTests {
  private let files: TransferFiles

  init() throws { files = try TransferFiles() }

  @Test(arguments: StoreKind.allCases)
  func noFormWritesInsideOfAnOptimisticTransaction(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    try chat.set("a", ["x": 1])
    let (tree, file) = (chat.tree, try files.file(#"{"x": 2}"#))
    let place = try tree.reference("a")
    let forms: [@Sendable () async throws -> Void] = [
      { try await tree.importJSON(from: file, to: place) },
      { try Self.importAndWait(tree, file, place) },
      { try await place.setValue(["x": 2]) },
      { try await place.updateChildValues(["x": 2]) },
      { try await place.removeValue() },
    ]
    for (number, form) in forms.enumerated() {
      let found = Lock<FiefError?>(nil)
      try await chat.store.store().runTransaction { _ in
        do { try await form() } catch { found.withLock { $0 = error as? FiefError } }
      }
      #expect(found.withLock { $0?.code } == .nestedWrite, "form \(number)")
    }
    #expect(try chat.get("a") == ["x": 1])
    try await forms[0]()
    #expect(try chat.get("a") == ["x": 2] && tree.check() == [])
  }

  private static func importAndWait(_ tree: JSONTree, _ file: String, _ place: TreeReference) throws {
    try tree.importJSONAndWait(from: file, to: place)
  }

  @Test(arguments: StoreKind.allCases) func aFileReplacesAPlace(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    try chat.set("", ["rooms": ["old": ["x": 1], "r1": ["title": "Old"]], "other": 1])
    let text = """
      {"r2": {"tags": ["b", null, "a"], "n": -12, "d": 1.50, "big": 12345678901234567890, "t": true},
       "r1": {"title": "F\\u00e9\\n\\ud83d\\ude00", "none": null, "empty": {}, "list": []}}
      """
    let place = try chat.tree.reference("rooms")
    let report = try await chat.tree.importJSON(from: try files.file(text), to: place)
    #expect(report.leaves == 7 && report.roundedIntegers == 1 && report.droppedPriorities == 0)
    let rooms: JSON = [
      "r1": ["title": "F\u{E9}\n\u{1F600}"],
      "r2": [
        "tags": ["0": "b", "2": "a"], "n": -12, "d": 1.5, "big": 1.2345678901234567e19,
        "t": true,
      ],
    ]
    #expect(try chat.whole() == ["rooms": rooms, "other": 1] && chat.tree.check() == [])
    try await chat.tree.exportJSON(from: place, to: files.path("out.json"))
    let exported =
      #"{"r1":{"title":"F\#u{E9}\n\#u{1F600}"},"r2":{"big":1.2345678901234567e+19,"d":1.5,"n":-12,"t":true,"#
      + #""tags":{"0":"b","2":"a"}}}"# + "\n"
    #expect(try files.text("out.json") == exported)
    try chat.tree.exportJSONAndWait(from: place, to: files.path("out.json"), arrays: true)
    #expect(try files.text("out.json").contains(#""tags":["b",null,"a"]"#))
    #expect(try files.names == ["in.json", "out.json"])
    // An equal file changes nothing.
    let core = try #require(chat.store.store().openedCore)
    let commit = try core.read { $0.id }
    try chat.tree.importJSONAndWait(from: try files.file(exported), to: place)
    #expect(try core.read { $0.id } == commit)
    let nothing = try chat.tree.importJSONAndWait(from: try files.file("{\"a\": [{}, null]}"), to: place)
    #expect(try nothing.leaves == 0 && chat.whole() == ["other": 1])
    try chat.tree.exportJSONAndWait(from: place, to: files.path("out.json"))
    #expect(try files.text("out.json") == "null\n")
  }

  @Test func documentsOfOneValueAreImported() throws {
    let chat = try TreeFixture()
    for (text, value) in [
      ("1", 1), ("-0", 0), (" \"a\" \n", "a"), ("true", true), ("[1,[2]]", ["0": 1, "1": ["0": 2]]),
      ("1e2", 100.0),
      ("\u{FEFF}{\"a\":9223372036854775807}", ["a": .int(.max)]), ("null", nil),
      ("9007199254740993", 9_007_199_254_740_993),
    ] as [(String, JSON)] {
      let report = try chat.tree.importJSONAndWait(from: try files.file(text), to: chat.tree.root)
      #expect(try chat.whole() == value && report.roundedIntegers == 0, "\(text)")
    }
  }

  /// Case 6 of the specification.
  @Test func exportsOfTheOriginalAreAccepted() throws {
    let chat = try TreeFixture()
    func imported(_ text: String) throws -> TreeImportReport {
      try chat.tree.importJSONAndWait(from: try files.file(text), to: try chat.tree.reference("a"))
    }
    var report = try imported(#"{".value": 1, ".priority": 2}"#)
    #expect(try report.droppedPriorities == 1 && report.leaves == 1 && chat.get("a") == 1)
    report = try imported(
      #"{".priority": "p", "b": {".priority": 1.5, ".value": "x"}, "c": {".priority": null, "d": true}}"#
    )
    #expect(try report.droppedPriorities == 2 && chat.get("a") == ["b": "x", "c": ["d": true]])
    #expect(try imported(#"{"b": {".priority": 1}}"#).leaves == 0)
    #expect(try chat.get("a") == .null)
    _ = try imported(#"{"b": {".value": {"c": 1}}}"#)
    #expect(try chat.get("a") == ["b": ["c": 1]])
    for text in [
      #"{".value": 1, "x": 2}"#, #"{"x": 2, ".value": 1}"#, #"{".sv": "timestamp"}"#, #"{".priority": {}}"#,
      #"{"a": {".priority": [1]}}"#, #"{"a.b": 1}"#, #"{"": 1}"#, #"{"a/b": 1}"#,
    ] {
      expectCode(.invalidTreeKey) { try imported(text) }
    }
    for text in [#"{".value": 1, ".value": 1}"#, #"{".priority": 1, "a": 1, ".priority": 1}"#] {
      expectCode(.malformedJSON) { try imported(text) }
    }
    #expect(try chat.get("a") == ["b": ["c": 1]])
  }

  @Test(arguments: [
    ("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}", "line 3, column 2"),
    ("{\"a\": {\"x\": 1}, \"b\": 1, \"a\": {\"y\": 1}}", "line 1, column 25"),
    ("{\"a\": 1, \"a\": {\"y\": 1}}", "line 1, column 10"),
    ("{\"a\": {\"y\": 1}, \"a\": 1}", "line 1, column 17"),
    ("{\"a\": null, \"a\": null}", "line 1, column 13"), ("{\"a\": {}, \"a\": 1}", "line 1, column 11"),
    ("{\"a\": [1], \"\\u0061\": 1}", "line 1, column 12"), ("{\"a\": 1", "line 1, column 8"),
    ("", "line 1, column 1"),
    ("[1,]", "line 1, column 4"), ("{\"a\" 1}", "line 1, column 6"), ("\n{} x", "line 2, column 4"),
    ("{\"a\": \"\n\"}", "line 1, column 8"), ("[01]", "line 1, column 2"), ("[\"\\x\"]", "line 1, column 4"),
    ("[tru]", "line 1, column 2"), ("{\"a\"", "line 1, column 5"),
  ])
  func malformedFilesHaveALineAndAColumn(text: String, place: String) throws {
    let chat = try TreeFixture()
    try chat.set("a", ["b": 1])
    do {
      try chat.tree.importJSONAndWait(from: try files.file(text), to: chat.tree.root)
      Issue.record("expected an error")
    } catch let error as FiefError {
      #expect(error.code == .malformedJSON && error.details.first == place, "\(error)")
    }
    #expect(try chat.whole() == ["a": ["b": 1]])
  }

  @Test func limitsHoldForFiles() throws {
    let chat = try TreeFixture()
    func refusal(_ text: String, at path: String = "") throws -> FiefError? {
      do {
        try chat.tree.importJSONAndWait(from: try files.file(text), to: try chat.tree.reference(path))
        return nil
      } catch let error as FiefError { return error }
    }
    func nested(_ levels: Int) -> String {
      String(repeating: "{\"l\":", count: levels) + "1" + String(repeating: "}", count: levels)
    }
    #expect(try refusal(nested(32)) == nil)
    #expect(try refusal(nested(33))?.code == .treeTooDeep)
    #expect(
      try refusal(nested(2), at: Array(repeating: "p", count: 31).joined(separator: "/"))?.code
        == .treeTooDeep
    )
    #expect(try refusal("[[[1e400]]]")?.code == .invalidValue)
    #expect(try refusal("[" + String(repeating: "1", count: 1025) + "]")?.code == .invalidValue)
    #expect(try refusal("[1" + String(repeating: "0", count: 300) + "]") == nil)
    let name = String(repeating: "n", count: 768)
    #expect(try refusal("{\"\(name)\": 1}") == nil)
    let error = try refusal("{\"a\": {\"b\": 1, \"\(name)n\": 1}}")
    #expect(error?.code == .invalidTreeKey && error?.details.first == "line 1, column 16")
    #expect(error?.details.contains("the name has 769 bytes") == true)
    #expect(error?.description.contains("nn") == false)
    let text = String(repeating: "t", count: 10_485_760)
    #expect(try refusal("[\"\(text)t\"]")?.code == .valueTooLarge)
    #expect(try refusal("[\"\(text)\", \"\\u0074\(text.dropFirst())\"]") == nil)
    #expect(try chat.get("1") == .string(text))
  }

  @Test func misuseIsAnError() async throws {
    let (chat, other) = (try TreeFixture(), try TreeFixture())
    let file = try files.file("{\"a\": 1}")
    expectCode(.foreignObject) { try chat.tree.importJSONAndWait(from: file, to: other.tree.root) }
    expectCode(.foreignObject) {
      try chat.tree.exportJSONAndWait(from: other.tree.root, to: files.path("out.json"))
    }
    expectCode(.inputOutput) {
      try chat.tree.importJSONAndWait(from: files.path("missing.json"), to: chat.tree.root)
    }
    expectCode(.inputOutput) { try chat.tree.importJSONAndWait(from: files.directory, to: chat.tree.root) }
    expectCode(.inputOutput) {
      try chat.tree.exportJSONAndWait(from: chat.tree.root, to: files.path("missing/out.json"))
    }
    try await chat.store.write { _ in
      expectCode(.nestedWrite) { try chat.tree.importJSONAndWait(from: file, to: chat.tree.root) }
    }
    let members = try StoreFixture(TestRepository(objectTypes: [Member.self]))
    let tree = JSONTree(in: members)
    expectCode(.unknownType) { try tree.importJSONAndWait(from: file, to: tree.root) }
    let task = Task { [tree = chat.tree] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await tree.importJSON(from: file, to: tree.root)
    }
    do {
      _ = try await task.value
      Issue.record("expected an error")
    } catch { #expect((error as? FiefError)?.code == .cancelled) }
    #expect(try chat.whole() == .null && files.names == ["in.json"])
  }

  /// A task that is cancelled while its file is read ends, and nothing is changed.
  @Test(.timeLimit(.minutes(5))) func cancellingEndsAnImport() async throws {
    let chat = try TreeFixture(.onDisk)
    try chat.set("a", 1)
    let store = try #require(chat.store.store().directory)
    let before = try FileManager.default.contentsOfDirectory(atPath: store).sorted()
    let pipe = files.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    // Both ends are open here, so that neither side waits for the other one to open.
    let file = try #require(FileHandle(forUpdatingAtPath: pipe))
    try file.write(contentsOf: Data("[".utf8))
    let task = Task { [tree = chat.tree] in try await tree.importJSON(from: pipe, to: tree.root) }
    var unread = pollfd(fd: file.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while poll(&unread, 1, 0) == 1 { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    // The pipe has space for this.
    try file.write(contentsOf: Data((String(repeating: "1,", count: 20_000) + "1]").utf8))
    do {
      _ = try await task.value
      Issue.record("expected an error")
    } catch { #expect((error as? FiefError)?.code == .cancelled) }
    try file.close()
    #expect(try chat.whole() == ["a": 1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: store).sorted() == before)
    let export = Task { [tree = chat.tree, path = files.path("out.json")] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await tree.exportJSON(from: tree.root, to: path)
    }
    do {
      try await export.value
      Issue.record("expected an error")
    } catch { #expect((error as? FiefError)?.code == .cancelled) }
    #expect(try files.names == ["pipe"])
  }

  /// Random values with names around every limit of the storage are imported over one another.
  @Test(arguments: StoreKind.allCases) func filesAndWritesAgree(_ kind: StoreKind) throws {
    for seed in 0..<UInt64(TestEffort.count(3, more: 8)) {
      var random = SeededRandom(state: seed)
      let (chat, other) = (try TreeFixture(kind), try TreeFixture(kind))
      let names = (0..<12).map { _ in RandomNames.name(using: &random) }
      var base: [String] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        base.append(names.randomElement(using: &random) ?? "a")
      }
      let path = base.joined(separator: "/")
      for _ in 0..<4 {
        let value = Self.value(names, depth: 4, using: &random)
        // Members are in no order.
        let text = Self.text(of: value, using: &random)
        try chat.tree.importJSONAndWait(from: try files.file(text), to: try chat.tree.reference(path))
        try other.set(path, value)
        #expect(try chat.whole() == other.whole(), "seed \(seed)")
        #expect(try chat.tree.check() == [], "seed \(seed)")
        try chat.tree.exportJSONAndWait(from: chat.tree.root, to: files.path("out.json"))
        #expect(try files.text("out.json") == other.whole().text() + "\n", "seed \(seed)")
        try chat.tree.exportJSONAndWait(from: chat.tree.root, to: files.path("out.json"), arrays: true)
        #expect(try files.text("out.json") == other.tree.root.value().text() + "\n", "seed \(seed)")
        if Bool.random(using: &random) {
          let place = path + "/" + (names.randomElement(using: &random) ?? "a")
          if base.count < 30 {
            try chat.set(place, 7)
            try other.set(place, 7)
          }
        }
      }
    }
  }

  private static func value(_ names: [String], depth: Int, using random: inout SeededRandom) -> JSON {
    switch Int.random(in: 0..<(depth == 0 ? 5 : 12), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .int(Int64.random(in: .min ... .max, using: &random))
    case 3: return .double(Double.random(in: -1e9...1e9, using: &random))
    case 4: return .string(RandomNames.name(using: &random))
    case 5:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in value(names, depth: depth - 1, using: &random)
        }
      )
    default:
      var object = FiefTree.JSONObject()
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        object[names.randomElement(using: &random) ?? "a"] = value(names, depth: depth - 1, using: &random)
      }
      return .object(object)
    }
  }

  private static func text(of value: JSON, using random: inout SeededRandom) -> String {
    switch value {
    case .array(let elements):
      var texts: [String] = []
      for element in elements { texts.append(text(of: element, using: &random)) }
      return "[" + texts.joined(separator: " ,") + "]"
    case .object(let object):
      var texts: [String] = []
      for member in object.shuffled(using: &random) {
        texts.append(JSON.string(member.name).text() + ": " + text(of: member.value, using: &random))
      }
      return "{" + texts.joined(separator: ",\n") + "}"
    default: return value.text()
    }
  }

  /// More entries than are sorted in memory at once, in no order and with large texts.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: TestEffort.first(2, of: [.encrypted, .onDisk, .inMemory] as [StoreKind])
  )
  func manyEntriesAreSortedInRuns(
    _ kind: StoreKind
  ) throws {
    let chat = try TreeFixture(kind)
    try chat.set("rooms", ["old": 1, "r5": ["m5": ["text": "old"]]])
    let count = TestEffort.count(20_000, more: 50_000)
    var parts: [String] = []
    for index in 0..<count {
      // 7,919 is prime.
      let number = index * 7919 % count
      let text = String(repeating: "x", count: number % 40_000 == 0 ? 50_000 : 1_400)
      parts.append("\"m\(number)\":{\"text\":\"\(text)\",\"n\":\(number)}")
    }
    let report = try chat.tree.importJSONAndWait(
      from: try files.file("{\"all\":{" + parts.joined(separator: ",") + "}}"),
      to: try chat.tree.reference("rooms")
    )
    #expect(report.leaves == 2 * count)
    let place = try chat.tree.reference("rooms/all")
    #expect(try chat.tree.reference("rooms").keys() == ["all"] && place.childCount() == count)
    for number in [0, 1, count / 2, count - 1] {
      #expect(try place.child("m\(number)").value()["n"] == .int(Int64(number)))
    }
    #expect(try place.child("m0/text").value().string?.count == 50_000)
    #expect(try chat.tree.check() == [])
  }

  /// Observers of objects learn that something has changed, although they get no keys.
  @Test(.timeLimit(.minutes(5))) func observersAreNotifiedOfLargeImports() async throws {
    let chat = try TreeFixture(.onDisk)
    try await chat.store.write { _ = try $0.create(Member.self, value: ["id": "ada"]) }
    let objects = "{" + (0..<70_000).map { "\"n\($0)\":1" }.joined(separator: ",") + "}"
    let file = try files.file(objects)
    let observed = Lock(0)
    let results = chat.store.store().objects(Member.self)
    let (stream, calls) = AsyncStream<Void>.makeStream()
    let token = results.observe { _ in
      observed.withLock { $0 += 1 }
      calls.yield()
    }
    var iterator = stream.makeAsyncIterator()
    await iterator.next()
    try await chat.tree.importJSON(from: file, to: chat.tree.root)
    try await chat.store.write { _ = try $0.create(Member.self, value: ["id": "bo"]) }
    await iterator.next()
    #expect(observed.withLock { $0 } >= 2 && results.count == 2)
    token.invalidate()
  }
}

/// A directory of the test, with files for imports and exports.
final class TransferFiles {
  let directory = FileManager.default.temporaryDirectory.appending(path: "fief-transfer-\(UUID())").path

  init() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  func path(_ name: String) -> String { directory + "/" + name }

  /// Writes a file.
  func file(_ text: String) throws -> String {
    let path = path("in.json")
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }
  }
}
