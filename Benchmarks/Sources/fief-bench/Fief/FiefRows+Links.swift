import Fief

/// The rows about objects with ten links and a list.
extension FiefRows {
  func linkFigure(of row: String, _ times: Int) throws -> Figure? {
    guard row == "T" || row == "T_links" else { return nil }
    let follows = row == "T_links"
    let hubs = max(10, workload.count / 10)
    let repository = try linkStore(hubs)
    let wanted = follows ? (1...hubs).reduce(0) { $0 + sumOfLeaves($1) } : hubs * (hubs + 1) / 2
    return try reading(times, operations: follows ? hubs * 20 : hubs) {
      var sum = 0
      try repository.read { snapshot in
        try snapshot.objects(Hub.self).forEachObject { sum += follows ? $0.sumOfLeaves : $0.id }
      }
      try check(row, sum, wanted)
    }
  }

  private static var leaves: Int { 1000 }

  private func sumOfLeaves(_ hub: Int) -> Int {
    2 * (0..<10).reduce(0) { $0 + (hub * 7 + $1 * 101) % Self.leaves + 1 }
  }

  private func linkStore(_ hubs: Int) throws -> BenchmarkRepository {
    if let links { return links }
    let path = directory + "/T"
    try Files.makeEmpty(path)
    let repository = BenchmarkRepository([Hub.self, Leaf.self], in: path)
    let leaves = (1...Self.leaves).map { Leaf(id: $0) }
    try repository.insert((1...hubs).map { Hub(id: $0, among: leaves) })
    try check("T", try repository.count(Hub.self), hubs)
    links = repository
    return repository
  }
}
