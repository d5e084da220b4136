import Fief
import FiefTree
import Foundation

/// The rows about trees: what `Peers/tree_rows.hpp` is for the others.
final class FiefTrees {
  let workload: TreeWorkload
  private let directory: String
  private let encryption: StoreEncryption?
  private var loaded: [Kind: (repository: BenchmarkRepository, bytes: Double)] = [:]

  enum Kind: String {
    case messages = "tree"
    case wide
    /// The wide node with an index of its values.
    case ranked
  }

  init(directory: String, count: Int, encryption: StoreEncryption?) {
    self.directory = directory
    self.encryption = encryption
    workload = TreeWorkload(count: count)
  }

  func end() {
    for (repository, _) in loaded.values { repository.close() }
  }

  func repository(in directory: String) -> BenchmarkRepository {
    var repository = BenchmarkRepository(JSONTree.objectTypes, in: directory)
    repository.storeOptions.encryption = encryption
    return repository
  }

  func path(_ kind: Kind) -> String { directory + "/" + kind.rawValue }

  /// The loaded store of a kind, which no row changes; it stays open.
  func base(_ kind: Kind) throws -> (repository: BenchmarkRepository, bytes: Double) {
    if let known = loaded[kind] { return known }
    let path = path(kind)
    try Files.makeEmpty(path)
    let repository = repository(in: path)
    try repository.open()
    let tree = JSONTree(in: repository)
    switch kind {
    case .messages:
      // Fifty pages are as much as a commit of a tree may have.
      for start in stride(from: 0, to: workload.pages, by: 50) {
        let pages = (start..<min(start + 50, workload.pages)).map { page in
          (TreeWorkload.page(page), JSON.object(Self.messages(of: page)))
        }
        try tree.reference("messages").updateChildValuesAndWait(JSONObject(pages))
      }
    case .wide: try load(workload.wide, in: tree)
    case .ranked: try load(workload.wide, in: try ranked(repository))
    }
    repository.close()
    try Files.synchronize(path)
    try repository.open()
    let base = (repository, try Files.bytes(of: path))
    if kind == .messages { try check("T_file", try Self.full(of: repository), workload.full) }
    loaded[kind] = base
    return base
  }

  /// Adds children of the wide node.
  func load(_ count: Int, in tree: JSONTree) throws {
    for start in stride(from: 0, to: count, by: 20_000) {
      let children = (start..<min(start + 20_000, count)).map { index in
        (TreeWorkload.wideKey(index), JSON.int(Int64(index * 3)))
      }
      try tree.reference("wide").updateChildValuesAndWait(JSONObject(children))
    }
  }

  /// Returns a tree whose index of the wide node is complete.
  func ranked(_ repository: BenchmarkRepository) throws -> JSONTree {
    let tree = JSONTree(in: repository, rules: try AccessRules().index("wide", on: ".value"))
    while try !tree.indexes().contains(where: \.isComplete) { Thread.sleep(forTimeInterval: 0.001) }
    return tree
  }

  private static func messages(of page: Int) -> JSONObject {
    JSONObject(
      (page * 250..<page * 250 + 250).map { index in
        let message = TreeMessage(index)
        let body: JSON = [
          "at": .int(Int64(message.at)), "from": .string(message.from), "likes": .int(Int64(message.likes)),
          "text": .string(message.text),
        ]
        return (message.key, body)
      }
    )
  }

  /// The digest of every byte of every leaf.
  static func full(of repository: BenchmarkRepository) throws -> UInt64 {
    let messages = try JSONTree(in: repository).reference("messages")
    var sum: UInt64 = 0
    for page in try messages.keys() {
      for (key, body) in try messages.child(page).snapshot().json.object ?? [:] {
        for (name, value) in body.object ?? [:] {
          if let number = value.int { sum &+= TreeDigest.full(page, key, name, Int(number)) }
          if let text = value.string { sum &+= TreeDigest.full(page, key, name, text) }
        }
      }
    }
    return sum
  }

  /// Runs a change on a fresh copy of the loaded store, and checks the copy after opening it again.
  func onCopy(changing count: Int, _ change: (JSONTree) throws -> Double) throws -> Double {
    _ = try base(.messages)
    let path = directory + "/tree-copy"
    try Files.copy(self.path(.messages), to: path)
    defer { Files.remove(path) }
    let repository = repository(in: path)
    try repository.open()
    // A warm-up, as the other peers have it.
    try check("copy", try Self.full(of: repository), workload.full)
    let seconds = try change(JSONTree(in: repository))
    repository.close()
    try repository.open()
    defer { repository.close() }
    try check("copy", try Self.full(of: repository), workload.full(afterChanging: count))
    return seconds
  }

  func check<Value: Equatable>(_ row: String, _ found: Value, _ wanted: Value) throws {
    guard found == wanted else { throw BenchmarkError("row \(row): found \(found), expected \(wanted)") }
  }
}

extension FiefRows {
  func treeFigure(of row: String, _ times: Int) throws -> Figure? {
    guard row.hasPrefix("T_"), let run = treeRow(row) else { return nil }
    let trees =
      trees ?? FiefTrees(directory: directory, count: workload.count, encryption: encryption)
    self.trees = trees
    return try run(trees, times)
  }

  private func treeRow(_ row: String) -> ((FiefTrees, Int) throws -> Figure)? {
    switch row {
    case "T_set": { try self.settingLeaves($0, $1, observations: 0) }
    case "T_far": { try self.settingLeaves($0, $1, observations: 10_000) }
    case "T_query": queryingLast
    case "T_window": { trees, _ in try self.windowFigure(trees, trees.workload.wide) }
    case "T_window_1k": { trees, _ in try self.windowFigure(trees, 1000) }
    case "T_get": gettingLeaves
    case "T_read": readingPages
    case "T_update": updatingLeaves
    case "T_keys": listingPages
    case "T_file": { trees, _ in Figure(value: try trees.base(.messages).bytes, operations: 1) }
    default: nil
    }
  }

  /// - Parameter observations: the number of observations of other places.
  private func settingLeaves(_ trees: FiefTrees, _ times: Int, observations: Int) throws -> Figure {
    let count = min(workload.commits(1000), trees.workload.picks.count)
    return try repeated(times, operations: count) {
      try trees.onCopy(changing: count) { tree in
        let watches = try (0..<observations).map { TreeWatch(try tree.reference("elsewhere/\($0)")) }
        for watch in watches { try watch.wait { $0.calls == 1 } }
        defer { withExtendedLifetime(watches) {} }
        return try Clock.time {
          for (number, pick) in trees.workload.picks.prefix(count).enumerated() {
            let place = try tree.reference("messages/\(pick.page)/\(pick.key)/likes")
            try place.setValueAndWait(.int(Int64(TreeWorkload.newLikes(number))))
          }
        }
      }
    }
  }

  private func updatingLeaves(_ trees: FiefTrees, _ times: Int) throws -> Figure {
    let picks = trees.workload.picks
    return try repeated(times, operations: picks.count) {
      try trees.onCopy(changing: picks.count) { tree in
        try Clock.time {
          let values = picks.enumerated().map { number, pick in
            ("\(pick.page)/\(pick.key)/likes", JSON.int(Int64(TreeWorkload.newLikes(number))))
          }
          try tree.reference("messages").updateChildValuesAndWait(JSONObject(values))
        }
      }
    }
  }

  private func gettingLeaves(_ trees: FiefTrees, _ times: Int) throws -> Figure {
    let (repository, keys) = (try trees.base(.wide).repository, trees.workload.wideKeys)
    let tree = JSONTree(in: repository)
    let wide = try tree.reference("wide")
    return try reading(times, operations: keys.count) {
      let sum = try repository.read { snapshot in
        let reader = try tree.in(snapshot)
        var sum: Int64 = 0
        for key in keys { sum += try reader.value(at: wide.child(key)).int ?? 0 }
        return sum
      }
      try trees.check("T_get", Int(sum), trees.workload.wideSum)
    }
  }

  private func readingPages(_ trees: FiefTrees, _ times: Int) throws -> Figure {
    let tree = JSONTree(in: try trees.base(.messages).repository)
    let pages = (0..<min(100, trees.workload.pages)).map { $0 * 7 % trees.workload.pages }
    let names = pages.map { "messages/" + TreeWorkload.page($0) }
    let sums = pages.map(TreeWorkload.digest)
    return try reading(times, operations: pages.count) {
      for (name, wanted) in zip(names, sums) {
        let page = try tree.reference(name).value()
        try trees.check("T_read", Self.digest(of: page), wanted)
      }
    }
  }

  private static func digest(of page: JSON) -> UInt64 {
    guard case .object(let messages) = page else { return 0 }
    var sum: UInt64 = 0
    for (key, body) in messages {
      guard case .object(let leaves) = body else { continue }
      for (name, value) in leaves {
        switch value {
        case .int(let number): sum &+= TreeDigest.cheap(key, name, Int(number))
        case .string(let text): sum &+= TreeDigest.cheap(key, name, text)
        default: break
        }
      }
    }
    return sum
  }

  private func listingPages(_ trees: FiefTrees, _ times: Int) throws -> Figure {
    let tree = JSONTree(in: try trees.base(.messages).repository)
    return try reading(times, operations: 1) {
      let names = try tree.reference("messages").keys()
      try trees.check("T_keys", names.reduce(0) { TreeWorkload.add($0, $1) }, trees.workload.names)
    }
  }
}
