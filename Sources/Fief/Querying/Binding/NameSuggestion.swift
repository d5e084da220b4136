/// The name that was probably meant by one that does not exist.
enum NameSuggestion {
  /// Lines for an error: the nearest name where one is near, and all there are.
  static func details(for name: String, among names: [String]) -> [String] {
    var details: [String] = []
    let distances = names.map { (name: $0, distance: distance(name.lowercased(), $0.lowercased())) }
    if let nearest = distances.min(by: { $0.distance < $1.distance }),
      nearest.distance <= max(name.count / 3, 1)
    {
      details.append("did you mean: \(nearest.name)")
    }
    details.append("the type's properties: " + names.sorted().joined(separator: ", "))
    return details
  }

  /// How many characters have to be changed, added or removed.
  private static func distance(_ first: String, _ second: String) -> Int {
    // A longer name is not meant by anybody.
    let first = Array(first.prefix(64))
    let second = Array(second.prefix(64))
    var row = Array(0...second.count)
    for (index, character) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for other in second.indices {
        let changed = diagonal + (character == second[other] ? 0 : 1)
        diagonal = row[other + 1]
        row[other + 1] = min(changed, row[other] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
