import Fief
import FiefTree
import Foundation

/// Queries of a node with many children by an index, and observations of their windows.
extension FiefRows {
  private static let window = 20

  func queryingLast(_ trees: FiefTrees, _ times: Int) throws -> Figure {
    let tree = JSONTree(in: try trees.base(.ranked).repository)
    let query = try tree.reference("wide").queryOrderedByValue().queryLimited(toLast: Self.window)
    let wanted = trees.workload.lastWide(Self.window)
    let queries = 1000
    return try reading(times, operations: queries) {
      for _ in 0..<queries {
        let sum = try query.snapshot().children.reduce(0) { sum, child in
          TreeWorkload.addWide(sum, child.key ?? "", Int(child.json.int ?? 0))
        }
        try trees.check("T_query", sum, wanted)
      }
    }
  }

  /// The median of the times from a durable set to the handler of a window. The handler may run before the
  /// call of the set has returned.
  func windowFigure(_ trees: FiefTrees, _ count: Int) throws -> Figure {
    defer { Files.remove(work) }
    if count == trees.workload.wide {
      _ = try trees.base(.ranked)
      try Files.copy(trees.path(.ranked), to: work)
    } else {
      try Files.makeEmpty(work)
    }
    let repository = trees.repository(in: work)
    try repository.open()
    defer { repository.close() }
    let tree = try trees.ranked(repository)
    if count != trees.workload.wide { try trees.load(count, in: tree) }
    let wide = try tree.reference("wide")
    let watch = TreeWatch(try wide.queryOrderedByValue().queryLimited(toLast: Self.window), .childAdded)
    try watch.wait { $0.calls == Self.window }
    var seconds: [Double] = []
    for number in 0..<workload.commits(300) {
      let value = count * 3 + number
      let start = Clock.now
      try wide.child(TreeWorkload.wideKey(number)).setValueAndWait(.int(Int64(value)))
      try watch.wait { $0.last == value }
      seconds.append(watch.time - start)
    }
    return Figure(value: seconds.sorted()[seconds.count / 2], operations: 1)
  }
}
