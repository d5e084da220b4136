import Fief

/// An object with ten links and a list of ten.
final class Hub: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var leaf0: Leaf?
  @Persisted var leaf1: Leaf?
  @Persisted var leaf2: Leaf?
  @Persisted var leaf3: Leaf?
  @Persisted var leaf4: Leaf?
  @Persisted var leaf5: Leaf?
  @Persisted var leaf6: Leaf?
  @Persisted var leaf7: Leaf?
  @Persisted var leaf8: Leaf?
  @Persisted var leaf9: Leaf?
  @Persisted var leaves: List<Leaf>

  convenience init(id: Int, among all: [Leaf]) {
    self.init()
    self.id = id
    let chosen = (0..<10).map { all[(id * 7 + $0 * 101) % all.count] }
    leaf0 = chosen[0]
    leaf1 = chosen[1]
    leaf2 = chosen[2]
    leaf3 = chosen[3]
    leaf4 = chosen[4]
    leaf5 = chosen[5]
    leaf6 = chosen[6]
    leaf7 = chosen[7]
    leaf8 = chosen[8]
    leaf9 = chosen[9]
    leaves.append(objectsIn: chosen)
  }

  /// Follows every link: the sum of what the leaves are numbered.
  var sumOfLeaves: Int {
    var sum = 0
    for leaf in [leaf0, leaf1, leaf2, leaf3, leaf4, leaf5, leaf6, leaf7, leaf8, leaf9] {
      sum += leaf?.id ?? 0
    }
    for leaf in leaves { sum += leaf.id }
    return sum
  }
}

final class Leaf: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""

  convenience init(id: Int) {
    self.init()
    self.id = id
    name = "leaf \(id)"
  }
}
