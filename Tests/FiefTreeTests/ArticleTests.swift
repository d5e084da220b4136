import Fief
import FiefTesting
import FiefTree
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

  @Test func theArticlesShowThem() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let folder = here.appendingPathComponent("../../Sources/FiefTree/FiefTree.docc").standardized
    let articles = try ["FiefTree", "ReadingAndWritingATree"].map {
      try String(contentsOf: folder.appendingPathComponent($0 + ".md"), encoding: .utf8)
    }.joined(separator: "\n")
    let lines = try String(contentsOfFile: #filePath, encoding: .utf8).components(separatedBy: "\n")
    var parts: [String] = []
    for (start, line) in lines.enumerated()
    where line.drop(while: { $0 == " " }).hasPrefix("// Documentation: begin ") {
      let end = try #require(lines[start...].firstIndex { $0.contains("// Documentation: end ") })
      let indentation = line.prefix { $0 == " " }.count
      parts.append(lines[(start + 1)..<end].map { String($0.dropFirst(indentation)) }.joined(separator: "\n"))
    }
    #expect(parts.count == 8)
    for part in parts { #expect(articles.contains(part), "\(part)") }
    let blocks = articles.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
    for block in blocks {
      let code = block.replacingOccurrences(of: "import Fief\nimport FiefTree\n\n", with: "")
      #expect(parts.contains(code), "\(code)")
    }
  }
}
