import Fief
import Foundation

@testable import FiefCore
@testable import FiefTree

extension FuzzTarget {
  /// Documents for the import of trees: an import gives the value that a write of the same document gives, or both are refused.
  ///
  /// The first byte chooses the place and the size of buffers.
  static let treeJSON = FuzzTarget(
    name: "tree-json",
    longest: 1500,
    seeds: {
      let long = String(repeating: "n", count: 300)
      return [
        "\u{0}{\"a\": {\"b\": 1, \"7\": -0.5, \"01\": true}, \"list\": [1, null, \"x\", [2]], \"none\": {}}",
        "\u{1}{\"rooms\": {\".priority\": 3, \".value\": 12345678901234567890}}",
        "\u{2}[{\"\(long)\": {\"\(long)\": \"\\u00e9\"}}, [], null, 9007199254740993]",
        "\u{3}{\"a\": {\"a\": 1}, \"b\": {\".value\": {\"a\": 1e3}}}",
        "\u{13}\"text\"",
      ].map { Array($0.utf8) }
    },
    run: { input, defect in
      guard let choice = input.first else { return }
      try TreeJSONChecks.run(Array(input.dropFirst()), choice, defect)
    }
  )
}

private enum TreeJSONChecks {
  struct Repository: DatabaseConfigurable, Sendable {
    var schemaName: String? { "tree-json" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { JSONTree.objectTypes }
    var migrationBlock: MigrationBlock? { nil }
    var realmMemoryType: RealmMemoryType {
      .inMemory(identifier: "fief-fuzz-json-\(ProcessInfo.processInfo.processIdentifier)")
    }
  }

  private struct Report {
    var leaves = 0
    var priorities = 0
  }

  private static let repository = Repository()
  private static let tree = JSONTree(in: repository)
  private static let codes: [FiefError.Code] = [
    .malformedJSON, .invalidTreeKey, .treeTooDeep, .valueTooLarge, .invalidValue,
  ]

  static func run(_ document: [UInt8], _ choice: UInt8, _ defect: PlantedDefect) throws {
    let long = String(repeating: "n", count: 290)
    let paths = ["", "a", "a/\(long)/7", Array(repeating: "x", count: 31).joined(separator: "/")]
    let place = try tree.reference(paths[Int(choice & 3)])
    do {
      try repository.write { transaction in
        let editor = try tree.in(transaction)
        // Some of it is replaced, and some of it stays.
        try editor.setValue(["a": ["b": 1, long: ["x": 1, "y": 2]], "c": 3], at: tree.root)
        let imported = try unlessRefused(hasPlace: true) {
          try importing(
            document,
            at: place.location,
            bufferSize: choice & 16 == 0 ? 16 : 4096,
            in: transaction
          )
        }
        // A refused import may have written something, so its write does not go on.
        guard let report = imported else { return try expectRefusal(of: document, at: place) }
        let value = try editor.snapshot(at: place).json
        var checker = TreeChecker(try TreeNodes(in: transaction))
        let problems = try checker.run()
        try require(problems.isEmpty, "problems after an import: \(problems)")
        try require(report.leaves == leaves(value), "\(report.leaves) leaves were counted in \(value.text())")
        if defect.isPlanted, report.priorities == 1, report.leaves == 2 {
          throw FuzzFinding("planted: \(value.text())")
        }
        let (written, priorities) = try withoutPriorities(try JSON(parsing: Data(document)))
        try require(report.priorities == priorities, "\(report.priorities) priorities, not \(priorities)")
        try editor.setValue(written, at: place)
        let expected = try editor.snapshot(at: place).json
        try require(value == expected, "imported as \(value.text()), written as \(expected.text())")
        throw FuzzRollback()
      }
    } catch is FuzzRollback {}
  }

  private static func importing(
    _ document: [UInt8],
    at path: TreePath,
    bufferSize: Int,
    in transaction: WriteTransaction
  ) throws -> Report {
    let sorter = EntrySorter(memory: 1 << 16, directory: FuzzPlace.directory, sealing: nil)
    var rest = document[...]
    var reader = ImportReader(sorter, at: path, bufferSize: bufferSize) { buffer in
      let piece = rest.prefix(buffer.count)
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
    try reader.run()
    try transaction.changing {
      var writer = try SubtreeWriter(try TreeNodes(in: transaction), transaction.writer, in: transaction)
      _ = try writer.set(try sorter.sorted(), at: TreePlace(path), path)
    }
    return Report(leaves: reader.leaves, priorities: reader.droppedPriorities)
  }

  /// Expects that a write of the document is refused as well.
  private static func expectRefusal(of document: [UInt8], at place: TreeReference) throws {
    let written = try unlessRefused(hasPlace: false) {
      let (value, _) = try withoutPriorities(try JSON(parsing: Data(document)))
      _ = try TreeChanges(value, at: place.location)
      return value
    }
    if let written { throw FuzzFinding("an import is refused, and a write is not: \(written.text())") }
    throw FuzzRollback()
  }

  private static func unlessRefused<Value>(hasPlace: Bool, _ body: () throws -> Value) throws -> Value? {
    do { return try body() } catch let error as FiefError where codes.contains(error.code) {
      let isPlaced = error.details.contains { $0.hasPrefix("line ") }
      try require(isPlaced || !hasPlace, "no place: \(error)")
      return nil
    }
  }

  private static func leaves(_ value: JSON) -> Int {
    switch value {
    case .null: 0
    case .object(let object): object.members.reduce(0) { $0 + leaves($1.value) }
    default: 1
    }
  }

  /// Returns a value as it would be written, and the number of its priorities.
  private static func withoutPriorities(_ value: JSON) throws -> (JSON, Int) {
    switch value {
    case .array(let elements):
      let parts = try elements.map { try withoutPriorities($0) }
      return (.array(parts.map(\.0)), parts.reduce(0) { $0 + $1.1 })
    case .object(let object):
      var (members, count) = ([(String, JSON)](), 0)
      for (name, value) in object.members.map({ ($0.name, $0.value) }) {
        if name == ".priority" {
          switch value {
          case .array, .object: throw FiefError(.invalidTreeKey, "A priority is an object or an array.")
          case .null: break
          default: count += 1
          }
          continue
        }
        // The values of a server are no values of a file.
        if name == ".sv" { throw FiefError(.invalidTreeKey, "A name is reserved.") }
        let part = try withoutPriorities(value)
        members.append((name, part.0))
        count += part.1
      }
      return (.object(FiefTree.JSONObject(members)), count)
    default: return (value, 0)
    }
  }
}
