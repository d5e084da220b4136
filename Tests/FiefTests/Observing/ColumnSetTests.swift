import Fief
import Testing

struct ColumnSetTests {
  @Test func isASetOfNumbers() {
    var random = PieceRandom(seed: 7)
    for _ in 0..<500 {
      let (first, second) = (Self.numbers(&random), Self.numbers(&random))
      var set = ColumnSet(first)
      #expect(set.ids == first.sorted() && set.isEmpty == first.isEmpty)
      #expect((0..<140).allSatisfy { set.contains($0) == first.contains($0) })
      #expect(set == ColumnSet(Array(first).shuffled(using: &random)))
      let other = ColumnSet(second)
      #expect(set.isDisjoint(with: other) == first.isDisjoint(with: second))
      #expect(other.isDisjoint(with: set) == first.isDisjoint(with: second))
      set.formUnion(other)
      #expect(set.ids == first.union(second).sorted())
      #expect(set.hashValue == ColumnSet(first.union(second)).hashValue)
    }
  }

  private static func numbers(_ random: inout PieceRandom) -> Set<UInt16> {
    let limit: UInt16 = Bool.random(using: &random) ? 64 : 140
    return Set(
      (0..<Int.random(in: 0..<6, using: &random)).map { _ in .random(in: 0..<limit, using: &random) }
    )
  }

  @Test func allIsEveryColumn() {
    var all = ColumnSet.all
    #expect(!all.isEmpty && all.contains(0) && all.contains(.max) && all.isAll)
    #expect(all.isDisjoint(with: ColumnSet()) && ColumnSet().isDisjoint(with: all))
    #expect(!all.isDisjoint(with: ColumnSet([70])) && !ColumnSet([3]).isDisjoint(with: all))
    #expect(!all.isDisjoint(with: .all))
    all.insert(4)
    #expect(all == .all)
    var set = ColumnSet([1, 90])
    set.formUnion(.all)
    #expect(set == .all)
    all.formUnion(ColumnSet([2]))
    #expect(all == .all)
  }
}
