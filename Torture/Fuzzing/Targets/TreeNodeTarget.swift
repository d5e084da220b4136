import Fief
import Foundation

@testable import FiefCore
@testable import FiefTree

extension FuzzTarget {
  /// Entries of a tree that no write leaves behind, with checksums that are right: a tree without problems is read, and written
  /// again as the same; one with problems is read or an error. A value that was set is there, whatever was there before.
  ///
  /// The first byte chooses a change. An entry is a segment, a place and a payload, each with its size.
  static let treeNodes = FuzzTarget(
    name: "tree-nodes",
    longest: 1200,
    seeds: {
      func entry(_ segment: UInt8, _ place: [UInt8], _ payload: [UInt8]) -> [UInt8] {
        [segment, UInt8(place.count >> 8), UInt8(place.count & 255)] + place + [UInt8(payload.count)]
          + payload
      }
      func place(_ names: String...) -> [UInt8] { TreePlace(TreePath(names: names)).last }
      let long = String(repeating: "n", count: 200)
      let piece = TreePlace(TreePath(names: [String(repeating: "p", count: 260)])).anchors[0]
      let one = NodeContent.payload(of: .int(1)) ?? []
      let text = NodeContent.payload(of: .string("x")) ?? []
      let anchor = NodeContent.payload(ofAnchor: 1)
      return [
        [0] + entry(0, place("a", "b"), one) + entry(0, place("a", "7"), text),
        [1] + entry(0, place(long), anchor) + entry(1, place("a"), one),
        [2] + entry(0, piece, anchor) + entry(1, place("pppp"), one),
        [3] + entry(0, place("a"), one) + entry(0, place("b"), text) + entry(0, place("c"), [1, 1]),
      ]
    },
    run: { input, defect in
      var rest = FuzzInput(input)
      let choice = rest.byte()
      var entries: [TreeNodeChecks.Entry] = []
      while !rest.isAtEnd, entries.count < 40 {
        let segment = Int(rest.byte())
        let count = rest.short() & 511
        entries.append(.init(segment: segment, place: rest.take(count), payload: rest.sized()))
      }
      try TreeNodeChecks.run(entries, choice, defect)
    }
  )
}

private enum TreeNodeChecks {
  struct Entry {
    let segment: Int
    let place: [UInt8]
    let payload: [UInt8]
  }

  struct Repository: DatabaseConfigurable, Sendable {
    var schemaName: String? { "tree-nodes" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { JSONTree.objectTypes }
    var migrationBlock: MigrationBlock? { nil }
    var realmMemoryType: RealmMemoryType {
      .inMemory(identifier: "fief-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
    }
  }

  private static let repository = Repository()
  private static let tree = JSONTree(in: repository)

  static func run(_ entries: [Entry], _ choice: UInt8, _ defect: PlantedDefect) throws {
    do {
      try repository.write { transaction in
        try put(entries, in: transaction)
        var checker = TreeChecker(try TreeNodes(in: transaction))
        let problems = try checker.run()
        let editor = try tree.in(transaction)
        let value = try read(editor, isIntact: problems.isEmpty)
        // Texts of one kind count as damage.
        if defect.isPlanted, let value, value.text().contains("\"~\"") {
          throw FuzzFinding("planted: \(value.text())")
        }
        try change(editor, choice, value)
        throw FuzzRollback()
      }
    } catch is FuzzRollback {}
  }

  private static func put(_ entries: [Entry], in transaction: WriteTransaction) throws {
    let nodes = try TreeNodes(in: transaction)
    try transaction.writer.writingManaged {
      for entry in entries {
        let key = NodeKey.key(entry.segment, entry.place)
        // Longer keys are refused by LMDB itself.
        if key.count > ObjectKey.maximumLength { continue }
        let record = try RecordEditor.make(of: nodes.table) {
          $0.id == nodes.column.id ? entry.payload : nil
        }
        try key.withUnsafeBytes { key in
          try record.withUnsafeBytes { try transaction.writer.put(key: key, record: $0, into: nodes.table) }
        }
      }
    }
  }

  /// Reads the tree in all ways.
  ///
  /// - Returns: the whole tree; `nil` if it is damaged.
  private static func read(_ editor: TreeEditor, isIntact: Bool) throws -> JSON? {
    let value = try unlessDamaged { try editor.snapshot(at: tree.root).json }
    let keys = try unlessDamaged { try editor.keys(at: tree.root) }
    let exists = try unlessDamaged { try editor.exists(at: tree.root) }
    let nodes = try TreeNodes(editor)
    let shallow = try unlessDamaged {
      var reader = ShallowReader(nodes)
      return try reader.value(at: TreePath(), depth: 2)
    }
    if isIntact {
      try require(value != nil && keys != nil && exists != nil, "an intact tree is not read")
      try require(shallow == value.map { self.shallow($0, 2) }, "\(value?.text() ?? "") at a depth of 2")
    }
    guard let value else { return nil }
    try require(exists == (value != .null), "exists: \(String(describing: exists)), \(value.text())")
    let names = (value.object?.members ?? []).map { Array($0.name.utf8) }
    try require(keys?.map { Array($0.utf8) } == names, "keys of \(value.text()): \(keys ?? [])")
    if let name = keys?.first {
      let child = try editor.snapshot(at: tree.root.child(name)).json
      try require(child == value[name], "a child of \(value.text()) is \(child.text())")
      let rest = try editor.keys(at: tree.root, after: name)
      try require(rest.map { Array($0.utf8) } == Array(names.dropFirst()), "keys after \(name)")
    }
    return value
  }

  private static func shallow(_ value: JSON, _ depth: Int) -> JSON {
    guard case .object(let object) = value else { return value }
    if depth == 0 { return true }
    return .object(FiefTree.JSONObject(object.map { ($0.name, shallow($0.value, depth - 1)) }))
  }

  private static let long = String(repeating: "n", count: 300)

  /// Sets a value. If that is not refused, the place has the value.
  private static func change(_ editor: TreeEditor, _ choice: UInt8, _ value: JSON?) throws {
    let values: [JSON] = [
      .null, 1, ["a": 1], [long: ["b": [long: "x"], "-3": true]], value ?? ["x": ["y": 2]],
    ]
    let paths = ["", "a", "a/b", long, String(repeating: "n", count: 200) + "/a", "7/" + long + "/8"]
    let new = values[Int(choice & 15) % values.count]
    let place = try tree.reference(paths[Int(choice >> 4) % paths.count])
    do {
      guard try unlessDamaged({ try editor.setValue(new, at: place) }) != nil else { return }
    } catch let error as FiefError where error.code == .treeTooDeep {
      // The whole tree, below one of its places.
      return
    }
    // A write to a part of a damaged tree does not repair the rest of it.
    let found = try unlessDamaged { try editor.snapshot(at: place).json }
    if let found {
      try require(found == new, "\(place) is \(found.text()), not \(new.text())")
    } else {
      try require(value == nil, "\(place) is damaged by a write")
    }
    guard place.path.isEmpty else { return }
    try require(found != nil, "the whole tree was set, and is damaged")
  }

  private static func unlessDamaged<Value>(_ body: () throws -> Value) throws -> Value? {
    do { return try body() } catch let error as FiefError where error.code == .damagedRecord { return nil }
  }
}

extension TreeNodes {
  fileprivate convenience init(_ editor: TreeEditor) throws {
    guard case .write(let transaction) = editor.access else { throw FuzzFinding("no write") }
    try self.init(in: transaction)
  }
}
