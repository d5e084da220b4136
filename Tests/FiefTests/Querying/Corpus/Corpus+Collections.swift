import Fief
import Foundation

extension Corpus {
  /// Lists, sets and what is in them.
  mutating func addCollections() {
    // Literals in a #Predicate cost the compiler much.
    let no = false
    let (five, name): (Double, String) = (5, "ball")
    let ball = CorpusToy()
    ball.name = "ball"
    let rope = CorpusToy()
    rope.name = "rope"
    let wanted = [1, 255]
    let names = ["Ann", "\u{E9}"]
    add(
      "toys.@count == 0",
      where: { $0.toys.count == 0 },
      #Predicate { $0.toys.isEmpty },
      plain: { $0.toys.isEmpty }
    )
    add(
      "toys.@count > 2",
      where: { $0.toys.count > 2 },
      #Predicate { $0.toys.count > 2 },
      plain: { $0.toys.count > 2 }
    )
    add(
      "toys.@size == toySet.@count",
      where: { $0.toys.count == $0.toySet.count },
      #Predicate { $0.toys.count == $0.toySet.count },
      plain: { $0.toys.count == $0.toySet.count }
    )
    add(
      "%@ IN toys",
      ball,
      where: { $0.toys.contains(ball) },
      plain: { $0.toys.contains { $0.name == "ball" } }
    )
    add(
      "%@ IN toySet",
      rope,
      where: { $0.toySet.contains(rope) },
      plain: { $0.toySet.contains { $0.name == "rope" } }
    )
    add(
      "NOT %@ IN toys",
      ball,
      where: { !$0.toys.contains(ball) },
      plain: { !$0.toys.contains { $0.name == "ball" } }
    )
    add(
      "ANY toys IN %@",
      [ball, rope],
      where: { $0.toys.containsAny(in: [ball, rope]) },
      plain: { $0.toys.contains { ["ball", "rope"].contains($0.name) } }
    )
    add(
      "3 IN ints",
      where: { $0.ints.contains(3) },
      #Predicate { $0.ints.contains(3) },
      plain: { $0.ints.contains(3) }
    )
    add(
      "NOT 3 IN ints",
      where: { !$0.ints.contains(3) },
      #Predicate { !$0.ints.contains(3) },
      plain: { !$0.ints.contains(3) }
    )
    add(
      "%@ IN ints",
      Int.min,
      where: { $0.ints.contains(Int.min) },
      plain: { $0.ints.contains(.min) }
    )
    add(
      "nil IN optInts",
      where: { $0.optInts.contains(nil) },
      #Predicate { $0.optInts.contains(nil) },
      plain: { $0.optInts.contains(nil) }
    )
    add(
      "1 IN optInts",
      where: { $0.optInts.contains(1) },
      #Predicate { $0.optInts.contains(1) },
      plain: { $0.optInts.contains(1) }
    )
    add(
      "2 IN intSet",
      where: { $0.intSet.contains(2) },
      #Predicate { $0.intSet.contains(2) },
      plain: { $0.intSet.contains(2) }
    )
    add(
      "int IN ints",
      where: { $0.ints.contains($0.int) },
      #Predicate { $0.ints.contains($0.int) },
      plain: { $0.ints.contains($0.int) }
    )
    add(
      "optInt IN ints",
      where: nil,
      plain: { row in row.ints.contains { $0 == row.optInt } }
    )
    add(
      "'Ann' IN strings",
      where: { $0.strings.contains("Ann") },
      #Predicate { $0.strings.contains("Ann") },
      plain: { $0.strings.contains("Ann") }
    )
    add(
      "ANY strings BEGINSWITH 'A'",
      where: { $0.strings.any { $0.starts(with: "A") } },
      #Predicate { $0.strings.contains { $0.starts(with: "A") } },
      plain: { $0.strings.contains { $0.starts("A") } }
    )
    add(
      "ANY strings CONTAINS[c] 'b'",
      where: { $0.strings.any { $0.contains("b", options: .caseInsensitive) } },
      plain: { $0.strings.contains { $0.c.has("b") } }
    )
    add(
      "ANY strings IN %@",
      names,
      where: { $0.strings.containsAny(in: names) },
      #Predicate { $0.strings.contains { names.contains($0) } },
      plain: { $0.strings.contains { names.map { ByteText($0) }.contains($0) } }
    )
    add(
      "string IN strings",
      where: { $0.strings.contains($0.string) },
      #Predicate { $0.strings.contains($0.string) },
      plain: { $0.strings.contains($0.string) }
    )
    add(
      "ANY ints IN %@",
      wanted,
      where: { $0.ints.containsAny(in: wanted) },
      #Predicate { $0.ints.contains { wanted.contains($0) } },
      plain: { $0.ints.contains { wanted.contains($0) } }
    )
    add(
      "ANY ints BETWEEN {2, 7}",
      where: { $0.ints.any { $0.contains(2...7) } },
      #Predicate { $0.ints.contains { (2...7).contains($0) } },
      plain: { $0.ints.contains { (2...7).contains($0) } }
    )
    add(
      "'large' IN sizes",
      where: { $0.sizes.contains(.large) },
      plain: { $0.sizes.contains(.large) }
    )
    add(
      "ANY toys.price > 5",
      where: { $0.toys.price > 5 },
      #Predicate { $0.toys.contains { $0.price > 5 } },
      plain: { $0.toys.contains { $0.price > 5 } }
    )
    add(
      "toys.price > 5 AND toys.name == 'ball'",
      where: { $0.toys.price > 5 && $0.toys.name == "ball" },
      #Predicate { $0.toys.contains { $0.price > five } && $0.toys.contains { $0.name == name } },
      plain: { $0.toys.contains { $0.price > 5 } && $0.toys.contains { $0.name == "ball" } }
    )
    add(
      "ANY toys.weight == nil",
      where: { $0.toys.weight == nil },
      #Predicate { $0.toys.contains { $0.weight == nil } },
      plain: { $0.toys.contains { $0.weight == nil } }
    )
    add(
      "ANY toys.weight != 3",
      where: { $0.toys.weight != 3 },
      #Predicate { $0.toys.contains { $0.weight != 3 } },
      plain: { $0.toys.contains { $0.weight != 3 } }
    )
    add(
      "ANY toys.name BEGINSWITH[c] 'b'",
      where: { $0.toys.name.starts(with: "b", options: .caseInsensitive) },
      plain: { $0.toys.contains { $0.name.c.starts("b") } }
    )
    add(
      "ANY toySet.maker.country == 'FR'",
      where: { $0.toySet.maker.country == "FR" },
      #Predicate { $0.toySet.contains { $0.maker?.country == "FR" } },
      plain: { $0.toySet.contains { $0.maker?.country == "FR" } }
    )
    add(
      "ANY toys.name == favourite.name",
      where: { $0.toys.name == $0.favourite.name },
      #Predicate { row in row.toys.contains { toy in row.favourite.flatMap { toy.name == $0.name } ?? no }
      },
      plain: { row in row.toys.contains { $0.name == row.favourite?.name } }
    )
    add(
      "ANY friend.ints > 200",
      where: { $0.friend.ints.any { $0 > 200 } },
      #Predicate { $0.friend.flatMap { $0.ints.contains { $0 > 200 } } ?? no },
      plain: { $0.friend?.ints.contains { $0 > 200 } ?? false }
    )
    add(
      "friend.toys.@count == 0",
      where: { $0.friend.toys.count == 0 },
      plain: { ($0.friend?.toys.count ?? 0) == 0 }
    )
  }
}
