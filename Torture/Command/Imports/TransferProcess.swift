import Fief
import FiefTorture
import FiefTree
import Foundation

/// The value that an import gives to `rooms`: it follows from the number of the import.
struct ImportedRooms {
  let number: Int

  static let count = 12_000
  /// The length of the texts; an import does not fit into memory, and fills several of LMDB's spills.
  private static let length = 2_000

  private static func name(_ member: Int) -> String {
    member % 50 == 0 ? String(repeating: "n", count: 180 + member % 580) + "\(member)" : "m\(member)"
  }

  /// The value of a member, or `null` in every fifth import.
  private func value(_ member: Int) -> JSON {
    if (member + number) % 5 == 0 { return .null }
    return ["n": .int(Int64((member * 7919 + number) % Self.count)), "text": .string(text(member))]
  }

  private func text(_ member: Int) -> String {
    String(repeating: String(UnicodeScalar(UInt8(97 + (member + number) % 26))), count: Self.length)
  }

  /// Some members, and the number.
  func json(of members: Range<Int>) -> FiefTree.JSONObject {
    let values = members.map { (Self.name($0), value($0)) }
    return FiefTree.JSONObject(values + [("number", .int(Int64(number)))])
  }

  /// Writes the JSON of members in no order.
  func write(_ members: Range<Int>, to file: String) throws {
    // 7,919 is prime.
    let names = members.map { members.lowerBound + ($0 - members.lowerBound) * 7919 % members.count }
    var text = "{\"number\":\(number)"
    for member in names {
      text += ",\(JSON.string(Self.name(member)).text()):\(value(member).text())"
    }
    try Data((text + "}").utf8).write(to: URL(filePath: file))
  }

  /// The number of members that differ from the import.
  func differences(in rooms: JSON) -> Int {
    (0..<Self.count).count { rooms[Self.name($0)] != value($0) }
  }

  /// Returns the number of the import that made the rooms, and the first error in them.
  static func judge(_ rooms: JSON) -> (number: Int, problem: String?) {
    let number = Int(rooms["number"].int ?? 0)
    if number == 0 { return (0, rooms == .null ? nil : "half: rooms without a number") }
    let differences = ImportedRooms(number: number).differences(in: rooms)
    return (number, differences == 0 ? nil : "half: \(differences) of \(count) members lack import \(number)")
  }
}

/// A process that imports, exports or builds indexes until it is killed; or prints the state of the store.
///
/// It prints `open`, `import N` and `ack N` before and after each import, `export` and `built` after each of these, and `wrong …`.
enum TransferProcess {
  /// The children of an index that is removed and built again.
  static let scores = 25_000

  static func run(_ arguments: Arguments) async throws {
    let directory = arguments.rest.first ?? ""
    let repository = FanOutRepository(directory: directory)
    if let error = repository.store().openingError { throw error }
    say("open")
    switch arguments.text("as") {
    case "import": try importFiles(repository, arguments)
    case "export": try exportFiles(repository, directory + "-files/out.json")
    case "build": try await buildIndexes(repository)
    case "prepare": try prepare(repository)
    default: try await show(repository, directory + "-files/out.json")
    }
  }

  private static func prepare(_ repository: FanOutRepository) throws {
    let values = (0..<scores).map { ("s\($0)", JSON.int(Int64($0 * 7919 % scores))) }
    try JSONTree(in: repository).reference("scores").setValueAndWait(.object(FiefTree.JSONObject(values)))
    say("end")
  }

  private static func importFiles(_ repository: FanOutRepository, _ arguments: Arguments) throws {
    let tree = JSONTree(in: repository)
    let (rooms, file) = (try tree.reference("rooms"), (arguments.rest.first ?? "") + "-files/in.json")
    var number = 1 + (arguments.number("from") ?? 0)
    while true {
      let value = ImportedRooms(number: number)
      let isSeparate = arguments.text("defect") == "separate"
      try value.write(0..<(isSeparate ? ImportedRooms.count / 2 : ImportedRooms.count), to: file)
      say("import \(number)")
      try tree.importJSONAndWait(from: file, to: rooms)
      if isSeparate {
        // The defect: two commits.
        try rooms.updateChildValuesAndWait(value.json(of: ImportedRooms.count / 2..<ImportedRooms.count))
      }
      say("ack \(number)")
      number += 1
    }
  }

  private static func exportFiles(_ repository: FanOutRepository, _ file: String) throws {
    let tree = JSONTree(in: repository)
    while true {
      try tree.exportJSONAndWait(from: tree.reference("rooms"), to: file)
      say("export")
    }
  }

  private static func rules() throws -> AccessRules {
    try AccessRules().index("scores", on: ".value").index("rooms", on: "n")
  }

  /// Opens the tree with its rules, and waits until all indexes are complete.
  private static func withIndexes(_ repository: FanOutRepository) async throws -> JSONTree {
    let tree = JSONTree(in: repository, rules: try rules())
    while true {
      let indexes = try tree.indexes()
      if indexes.count == 2, indexes.allSatisfy(\.isComplete) { return tree }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  private static func buildIndexes(_ repository: FanOutRepository) async throws {
    while true {
      let tree = try await withIndexes(repository)
      say("built")
      for index in try tree.indexes() where index.pattern == "scores" { try await tree.removeIndex(index) }
    }
  }

  private static func show(_ repository: FanOutRepository, _ file: String) async throws {
    func check() throws {
      for problem in try repository.check().problems { say("wrong \(problem)".replacing("\n", with: " ")) }
    }
    try check()
    let tree = try await withIndexes(repository)
    try check()
    let scores = try tree.reference("scores").queryOrderedByValue().queryStarting(atValue: 10)
    let count = try scores.count()
    if count != Self.scores - 10 { say("wrong: the index has \(count) of \(Self.scores - 10) children") }
    let (number, problem) = ImportedRooms.judge(try tree.reference("rooms").snapshot().json)
    if let problem { say("wrong \(problem)") }
    say("number \(number)")
    if FileManager.default.fileExists(atPath: file) {
      let exported = ImportedRooms.judge(try JSON(parsing: Data(contentsOf: URL(filePath: file))))
      if exported.problem != nil || exported.number > number { say("wrong export: \(exported)") }
    }
    say("end")
  }
}
