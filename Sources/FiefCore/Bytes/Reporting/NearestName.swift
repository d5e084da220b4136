/// A search for the known name that was probably meant by an unknown name of a property, a command, an option
/// or a file.
package enum NearestName {
  /// Returns the nearest name, or `nil` if no name is similar enough.
  package static func find(_ word: String, in known: [String]) -> String? {
    let candidates = known.map { (name: $0, distance: distance(word, $0)) }
    guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
    if best.distance <= max(1, best.name.count / 3), best.distance < best.name.count { return best.name }
    let beginning = known.filter { word.count >= 2 && $0.hasPrefix(word) }
    return beginning.count == 1 ? beginning.first : nil
  }

  /// Returns lines for an error about a property: the nearest name, if there is one, and all names.
  static func details(for name: String, among names: [String]) -> [String] {
    (find(name, in: names).map { ["did you mean: \($0)"] } ?? [])
      + ["the type's properties: " + names.sorted().joined(separator: ", ")]
  }

  /// Returns the number of characters to insert, delete, replace or swap with their neighbour. Case and
  /// underscores are ignored.
  package static func distance(_ first: String, _ second: String) -> Int {
    let (a, b) = (letters(first), letters(second))
    // A word of this length is not a typing error, and the time grows with the square of the length.
    guard a.count <= 100, b.count <= 100 else { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last.last ?? 0
  }

  private static func letters(_ name: String) -> [Character] { name.lowercased().filter { $0 != "_" } }
}
