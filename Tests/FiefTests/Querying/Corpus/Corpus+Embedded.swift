import Fief
import Foundation

extension Corpus {
  /// Objects inside of others.
  mutating func addEmbedded() {
    // Literals in a #Predicate cost the compiler much.
    let no = false
    add(
      "collar == nil",
      where: { $0.collar == nil },
      plain: { $0.collar == nil }
    )
    add(
      "collar.color == 'red'",
      where: { $0.collar.color == "red" },
      #Predicate { $0.collar?.color == "red" },
      plain: { $0.collar?.color == "red" }
    )
    add(
      "collar.color ==[c] 'RED'",
      where: { $0.collar.color.equals("RED", options: .caseInsensitive) },
      plain: { $0.collar?.color.c == "red" }
    )
    add(
      "collar.color == nil",
      where: { $0.collar.color == nil },
      #Predicate { $0.collar?.color == nil },
      plain: { $0.collar == nil }
    )
    add(
      "collar.width >= 2",
      where: { $0.collar.width >= 2 },
      #Predicate { $0.collar?.width.flatMap { $0 >= 2 } ?? no },
      plain: { $0.collar?.width >=? 2 }
    )
    add(
      "collar.width == nil",
      where: { $0.collar.width == nil },
      #Predicate { $0.collar?.width == nil },
      plain: { $0.collar?.width == nil }
    )
    add(
      "collar.tag.number == 2",
      where: { $0.collar.tag.number == 2 },
      #Predicate { $0.collar?.tag?.number == 2 },
      plain: { $0.collar?.tag?.number == 2 }
    )
    add(
      "collar.tag.label == string",
      where: { $0.collar.tag.label == $0.string },
      plain: { $0.collar?.tag?.label == $0.string }
    )
    add(
      "collar.tag != nil AND collar.tag.label == nil",
      where: { $0.collar.tag != nil && $0.collar.tag.label == nil },
      plain: { $0.collar?.tag != nil && $0.collar?.tag?.label == nil }
    )
    add(
      "3 IN collar.holes",
      where: { $0.collar.holes.contains(3) },
      #Predicate { $0.collar.flatMap { $0.holes.contains(3) } ?? no },
      plain: { $0.collar?.holes.contains(3) ?? false }
    )
    add(
      "collar.holes.@count > 1",
      where: { $0.collar.holes.count > 1 },
      #Predicate { $0.collar.flatMap { $0.holes.count > 1 } ?? no },
      plain: { ($0.collar?.holes.count ?? 0) > 1 }
    )
    add(
      "collars.@count == 2",
      where: { $0.collars.count == 2 },
      #Predicate { $0.collars.count == 2 },
      plain: { $0.collars.count == 2 }
    )
    add(
      "ANY collars.color == 'blue'",
      where: { $0.collars.color == "blue" },
      #Predicate { $0.collars.contains { $0.color == "blue" } },
      plain: { $0.collars.contains { $0.color == "blue" } }
    )
    add(
      "ALL collars.width > 1",
      where: { $0.collars.all { $0.width > 1 } },
      #Predicate { $0.collars.allSatisfy { $0.width.flatMap { $0 > 1 } ?? no } },
      plain: { $0.collars.allSatisfy { $0.width >? 1 } }
    )
    add(
      "ANY collars.tag.number == 3",
      where: { $0.collars.tag.number == 3 },
      #Predicate { $0.collars.contains { $0.tag?.number == 3 } },
      plain: { $0.collars.contains { $0.tag?.number == 3 } }
    )
    add(
      "ANY collars.holes == 4",
      where: { $0.collars.holes.contains(4) },
      #Predicate { $0.collars.contains { $0.holes.contains(4) } },
      plain: { $0.collars.contains { $0.holes.contains(4) } }
    )
    add(
      "collars.@sum.width > 3",
      where: { $0.collars.width.sum > 3 },
      plain: { $0.collars.compactMap(\.width).reduce(0, +) > 3 }
    )
    add(
      "SUBQUERY(collars, $c, $c.color == 'red' AND $c.width == int8).@count > 0",
      where: { item in item.collars.any { $0.color == "red" && $0.width == item.int8 } },
      plain: { row in row.collars.contains { $0.color == "red" && $0.width == Int(row.int8) } }
    )
    add(
      "ANY collars.maker.country == 'DE'",
      where: { $0.collars.maker.country == "DE" },
      #Predicate { $0.collars.contains { $0.maker?.country == "DE" } },
      plain: { $0.collars.contains { $0.maker?.country == "DE" } }
    )
    add(
      "friend.collar.color == collar.color",
      where: { $0.friend.collar.color == $0.collar.color },
      #Predicate { $0.friend?.collar?.color == $0.collar?.color },
      plain: { $0.friend?.collar?.color == $0.collar?.color }
    )
  }
}
