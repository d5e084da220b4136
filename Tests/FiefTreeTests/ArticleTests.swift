import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import Testing

/// The code of the module's articles: it compiles, runs, and is what the articles show.
@Suite(.freshStores) struct ArticleTests {
  // Documentation: begin repository
  struct ChatRepository: DatabaseConfigurable, Sendable {
    let schemaName: String? = "chat"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = JSONTree.objectTypes + [Member.self]
  }
  // Documentation: end repository

  @Test func theOverviewRuns() async throws {
    // Documentation: begin overview
    let tree = JSONTree(in: ChatRepository())
    let room = try tree.reference("rooms/r1")
    try await room.setValue(["title": "Fief", "since": .serverTimestamp])
    let message = try room.child("messages").childByAutoId()
    let body: JSON = ["from": "ada", "text": "Hello"]
    // One commit: all of it or nothing.
    try await tree.root.updateChildValues([
      message.path: body, "rooms/r1/last": body, "inbox/bo/r1": .increment(1),
    ])
    print(try room.child("last/text").value().string ?? "")
    // Documentation: end overview
    #expect(try tree.reference("inbox").value() == ["bo": ["r1": 1]])
    #expect(try message.value() == body && room.child("since").value().int != nil)
  }

  @Test func readingAndWritingRuns() async throws {
    let chat = ChatRepository()
    let tree = JSONTree(in: chat)
    try await changeValues(tree)
    // Documentation: begin types
    struct Room: Codable {
      var title: String
      var seats: Int?
      var tags: [String] = []
    }
    try await tree.reference("rooms/r2").setValue(encoding: Room(title: "LMDB"))
    let room = try tree.reference("rooms/r2").value(as: Room.self)
    // Documentation: end types
    #expect(room?.title == "LMDB" && room?.seats == nil && room?.tags == [])
    try await tree.reference("rooms/r2").removeValue()
    // Documentation: begin update
    try await tree.root.updateChildValues([
      "rooms/r1/title": "Fief", "rooms/r0": nil, "titles/r1": "Fief", "count": .increment(1),
    ])
    // Documentation: end update
    #expect(try tree.root.keys() == ["count", "rooms", "titles"])
    // Documentation: begin children
    let first = try tree.reference("rooms").keys(limit: 20)
    let next = try tree.reference("rooms").keys(limit: 20, after: first.last)
    let isOpen = try tree.reference("rooms/r1").exists()
    // Documentation: end children
    #expect(first == ["r1"] && next == [] && isOpen)
    // Documentation: begin objects
    try await chat.write { transaction in
      try transaction.create(Member.self, value: ["id": "ada"])
      let editor = try tree.in(transaction)
      let names = try editor.keys(at: tree.reference("names"))
      try editor.setValue("Ada", at: tree.reference("names/\(names.count)"))
    }
    // Documentation: end objects
    #expect(try tree.reference("names").value() == ["Ada"] && chat.count(Member.self) == 1)
  }

  private func changeValues(_ tree: JSONTree) async throws {
    let room = try tree.reference("rooms/r1")
    // Documentation: begin values
    try await room.setValue(["title": "Fief", "seats": 40, "tags": ["swift", "lmdb"]])
    let title = try room.child("title").value().string ?? ""
    try await room.child("seats").setValue(.increment(-1))
    try await room.child("tags").removeValue()
    // Documentation: end values
    #expect(try title == "Fief" && room.value() == ["title": "Fief", "seats": 39])
    try await room.child("tags").setValue(["swift", "lmdb"])
    // Documentation: begin snapshot
    let snapshot = try room.snapshot()
    print(snapshot.value["tags"], snapshot.json["tags"])  // ["swift","lmdb"] {"0":"swift","1":"lmdb"}
    for child in snapshot.children { print(child.key ?? "", child.exists) }
    // Documentation: end snapshot
    #expect(
      "\(snapshot.value["tags"]) \(snapshot.json["tags"])"
        == "[\"swift\",\"lmdb\"] {\"0\":\"swift\",\"1\":\"lmdb\"}"
    )
  }

  @Test @MainActor func listenersRun() async throws {
    let tree = JSONTree(in: ChatRepository())
    let room = try tree.reference("rooms/r1")
    try await room.setValue(["title": "Fief", "messages": ["m1": "Hello"], "closed": true])
    // Documentation: begin observed-value
    let token = try room.child("title").observe { event in
      if case .value(let title) = event { print(title.json.string ?? "none") }
    }
    // Documentation: end observed-value
    // Documentation: begin observed-children
    let messages = try room.child("messages").observe(.children) { event in
      switch event {
      case .childAdded(let message, let after): print("+", message.key ?? "", "after", after ?? "nothing")
      case .childChanged(let message, _): print("~", message.json)
      case .childMoved(let message, let after): print(">", message.key ?? "", "after", after ?? "nothing")
      case .childRemoved(let message): print("-", message.key ?? "")
      case .value: break
      }
    }
    // Documentation: end observed-children
    // Documentation: begin observed-query
    let newest = try room.child("messages").queryOrdered(byChild: "at").queryLimited(toLast: 20)
    let window = newest.observe(.children, on: DispatchQueue.main) { event in
      if case .childAdded(let message, _) = event { print(message.json["text"].string ?? "") }
    }
    // Documentation: end observed-query
    // Documentation: begin observed-events
    for try await event in room.events() {
      if case .value(let room) = event, room.json["closed"] == true { break }
    }
    let first = try await room.child("messages").singleEvent(.childAdded)
    // Documentation: end observed-events
    guard case .childAdded(let message, nil) = first else { return #expect(Bool(false)) }
    #expect(message.key == "m1" && message.json == "Hello")
    // Documentation: begin observed-interval
    let rests = room.observe(every: .seconds(1)) { event in
      if case .value(let room) = event { print(room.json) }
    }
    // Documentation: end observed-interval
    // Documentation: begin observed-errors
    let watched = room.observe(onError: { error in print(error) }) { event in
      if case .value(let room) = event { print(room.json) }
    }
    room.removeAllObservers()
    // Documentation: end observed-errors
    withExtendedLifetime([token, messages, window, rests, watched]) {}
  }

  @Test func queriesRun() async throws {
    let tree = JSONTree(in: ChatRepository())
    let room = try tree.reference("rooms/r1")
    try await room.setValue(["messages": ["m1": ["at": 5, "from": "ada", "text": "Hello"]]])
    let midnight: Int64 = 3
    // Documentation: begin queries
    let messages = try room.child("messages")
    let newest = try messages.queryOrdered(byChild: "at").queryLimited(toLast: 20)
    for message in try newest.snapshot().children { print(message.json["text"].string ?? "") }
    // Documentation: end queries
    // Documentation: begin bounds
    let today = try messages.queryOrdered(byChild: "at").queryStarting(atValue: .int(midnight))
    let mine = try messages.queryOrdered(byChild: "from").queryEqual(toValue: "ada")
    let names = try tree.reference("names").queryOrderedByKey().queryStarting(atValue: "a")
    try print(today.count(), mine.snapshot().childCount, names.queryLimited(toFirst: 10).explain())
    // Documentation: end bounds
    #expect(try today.count() == 1 && mine.snapshot().childCount == 1 && names.count() == 0)
    // Documentation: begin decoded-children
    struct Message: Codable {
      var id: String?
      var from: String
      var text: String
    }
    let last = try messages.queryLimited(toLast: 20).children(as: Message.self, key: \.id)
    let answer = Message(from: "bo", text: "Hello, \(last.first?.from ?? "all")")
    try await messages.childByAutoId().setValue(encoding: answer, key: \.id)
    // Documentation: end decoded-children
    #expect(last.map(\.id) == ["m1"] && last.map(\.text) == ["Hello"])
    let stored = try messages.queryLimited(toFirst: 1).snapshot().children.first?.json
    #expect(stored == ["from": "bo", "text": "Hello, ada"])
  }

  @Test func groupsRun() async throws {
    try JSONTree(in: ChatRepository()).reference("rooms/r1/messages/m1").setValueAndWait(["from": "ada"])
    // Documentation: begin indexes
    let rules = try AccessRules().index("rooms/$room/messages", on: "at").group("messages", on: "from")
    let tree = JSONTree(in: ChatRepository(), rules: rules)
    // Documentation: end indexes
    // Documentation: begin groups
    let mine = try tree.group("messages").queryOrdered(byChild: "from").queryEqual(toValue: "ada")
    for message in try mine.snapshot().children { print(message.reference.path) }
    // Documentation: end groups
    let paths = try mine.snapshot().children.map(\.reference.path)
    #expect(paths == ["rooms/r1/messages/m1"])
  }

  @Test func comingFromTheRealtimeDatabaseRuns() async throws {
    let tree = JSONTree(in: ChatRepository())
    let directory = FileManager.default.temporaryDirectory.appending(path: "fief-article-\(UUID())").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let export = #"{"rooms": {"r1": {".value": "Fief", ".priority": 1}}}"#
    try Data(export.utf8).write(to: URL(filePath: directory + "/export.json"))
    // Documentation: begin import
    let report = try await tree.importJSON(from: directory + "/export.json", to: tree.root)
    print(report.leaves, report.roundedIntegers, report.droppedPriorities)
    try await tree.exportJSON(from: tree.reference("rooms"), to: directory + "/rooms.json")
    // Documentation: end import
    #expect(report.leaves == 1 && report.droppedPriorities == 1)
    #expect(try String(contentsOfFile: directory + "/rooms.json", encoding: .utf8) == "{\"r1\":\"Fief\"}\n")
    // Documentation: begin flat
    let body: JSON = ["from": "ada", "text": "Hello", "at": .serverTimestamp]
    let message = try tree.reference("messages/r1").childByAutoId()
    try await tree.root.updateChildValues([
      message.path: body,
      "rooms/r1/last": body,
      "members/r1/ada": true,
      "roomsOf/ada/r1": true,
    ])
    let rooms = try tree.reference("roomsOf/ada").keys()
    // Documentation: end flat
    #expect(rooms == ["r1"])
    // Documentation: begin star
    let star = try await tree.reference("posts/p1").runTransaction { post in
      let isStarred = post["stars"]["ada"] != .null
      post["stars"]["ada"] = isStarred ? .null : true
      post["starCount"] = .int((post["starCount"].int ?? 0) + (isStarred ? -1 : 1))
      return .commit
    }
    // Documentation: end star
    #expect(star.snapshot.json == ["starCount": 1, "stars": ["ada": true]])
  }

  @Test func theArticlesShowThem() throws {
    try ArticleCode.check(
      ["FiefTree", "ReadingAndWritingATree", "QueriesAndListeners", "ComingFromTheRealtimeDatabase"],
      against: #filePath,
      parts: 22
    )
  }
}
