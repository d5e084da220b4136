import Fief
import FiefTree
import Foundation

/// Imports and exports of a tree: `T_import` and `T_export` of `Peers/tree_rows.hpp`.
extension FiefRows {
  func treeTransferFigure(of row: String, _ times: Int) throws -> Figure? {
    guard row == "T_import" || row == "T_export" else { return nil }
    let trees =
      trees ?? FiefTrees(directory: directory, count: workload.count, encryption: encryption)
    self.trees = trees
    return try row == "T_import" ? importing(trees, times) : exporting(trees, times)
  }

  private func importing(_ trees: FiefTrees, _ times: Int) throws -> Figure {
    let (file, path) = (directory + "/tree-import.json", directory + "/tree-import")
    try Data(trees.workload.text()).write(to: URL(filePath: file))
    try Files.synchronize(directory)
    defer { Files.remove(file) }
    return try repeated(times, operations: trees.workload.pages * 1000) {
      try Files.makeEmpty(path)
      defer { Files.remove(path) }
      let repository = trees.repository(in: path)
      try repository.open()
      let tree = JSONTree(in: repository)
      let seconds = try Clock.time {
        try tree.importJSONAndWait(from: file, to: tree.reference("messages"))
      }
      repository.close()
      try repository.open()
      defer { repository.close() }
      try trees.check("T_import", FiefTrees.full(of: repository), trees.workload.full)
      return seconds
    }
  }

  private func exporting(_ trees: FiefTrees, _ times: Int) throws -> Figure {
    let tree = JSONTree(in: try trees.base(.messages).repository)
    let file = directory + "/tree-export.json"
    let wanted = Data(trees.workload.text())
    return try repeated(times, operations: trees.workload.pages * 1000) {
      let seconds = try Clock.time {
        try tree.exportJSONAndWait(from: tree.reference("messages"), to: file)
      }
      let found = try Data(contentsOf: URL(filePath: file))
      Files.remove(file)
      // Not the bytes themselves, of which there are many.
      try trees.check("T_export", found == wanted, true)
      return seconds
    }
  }
}

extension TreeWorkload {
  /// The JSON of all messages, as an export of `messages` has it.
  func text() -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(pages * 250 * 180)
    func append(_ part: String) { text.append(contentsOf: part.utf8) }
    for page in 0..<pages {
      append((page == 0 ? "{" : "},") + "\"\(Self.page(page))\":{")
      for index in page * 250..<page * 250 + 250 {
        let message = TreeMessage(index)
        append((index == page * 250 ? "" : ",") + "\"\(message.key)\":{\"at\":\(message.at),")
        append("\"from\":\"\(message.from)\",\"likes\":\(message.likes),\"text\":\"\(message.text)\"}")
      }
    }
    append("}}\n")
    return text
  }
}
