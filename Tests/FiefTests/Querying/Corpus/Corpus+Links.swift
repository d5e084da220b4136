import Fief
import Foundation

extension Corpus {
  /// Ways through links, to objects and back.
  mutating func addLinks() {
    let ball = CorpusToy()
    ball.name = "ball"
    let bone = CorpusToy()
    bone.name = "Bone"
    let missing = CorpusToy()
    missing.name = "no such toy"
    let third = CorpusItem()
    third.id = 3
    // The compiler needs seconds for several literals in one #Predicate.
    let (yes, no): (Bool, Bool) = (true, false)
    let two: Double = 2
    add(
      "friend == nil",
      where: { $0.friend == nil },
      #Predicate { $0.friend == nil },
      plain: { $0.friend == nil }
    )
    add(
      "friend != nil",
      where: { $0.friend != nil },
      #Predicate { $0.friend != nil },
      plain: { $0.friend != nil }
    )
    add(
      "favourite == %@",
      ball,
      where: { $0.favourite == ball },
      #Predicate { $0.favourite == ball },
      plain: { $0.favourite?.name == "ball" }
    )
    add(
      "favourite != %@",
      ball,
      where: { $0.favourite != ball },
      #Predicate { $0.favourite != ball },
      plain: { $0.favourite?.name != "ball" }
    )
    add(
      "favourite == %@",
      missing,
      where: { $0.favourite == missing },
      #Predicate { $0.favourite == missing },
      plain: {
        _ = $0; return false
      }
    )
    add(
      "favourite IN %@",
      [ball, bone],
      where: { $0.favourite.in([ball, bone]) },
      plain: { ["ball", "Bone"].contains($0.favourite?.name) }
    )
    add(
      "friend == %@",
      third,
      where: { $0.friend == third },
      #Predicate { $0.friend == third },
      plain: { $0.friend?.id == 3 }
    )
    add(
      "friend.int8 > 0",
      where: { $0.friend.int8 > 0 },
      #Predicate { $0.friend.flatMap { $0.int8 > 0 } ?? no },
      plain: { $0.friend?.int8 >? 0 }
    )
    add(
      "friend.int8 == nil",
      where: { $0.friend.int8 == nil },
      #Predicate { $0.friend?.int8 == nil },
      plain: { $0.friend == nil }
    )
    add(
      "friend.string == 'Ann'",
      where: { $0.friend.string == "Ann" },
      #Predicate { $0.friend?.string == "Ann" },
      plain: { $0.friend?.string == "Ann" }
    )
    add(
      "friend.string != 'Ann'",
      where: { $0.friend.string != "Ann" },
      #Predicate { $0.friend?.string != "Ann" },
      plain: { $0.friend?.string != "Ann" }
    )
    add(
      "friend.id == 3",
      where: { $0.friend.id == 3 },
      #Predicate { $0.friend?.id == 3 },
      plain: { $0.friend?.id == 3 }
    )
    add(
      "friend.optString == nil",
      where: { $0.friend.optString == nil },
      #Predicate { $0.friend?.optString == nil },
      plain: { $0.friend?.optString == nil }
    )
    add(
      "friend.friend.friend != nil",
      where: { $0.friend.friend.friend != nil },
      plain: { $0.friend?.friend?.friend != nil }
    )
    add(
      "friend.friend.int8 >= 3",
      where: { $0.friend.friend.int8 >= 3 },
      #Predicate { $0.friend?.friend.flatMap { $0.int8 >= 3 } ?? no },
      plain: { $0.friend?.friend?.int8 >=? 3 }
    )
    add(
      "friend.int8 == int8",
      where: { $0.friend.int8 == $0.int8 },
      #Predicate { row in row.friend.flatMap { $0.int8 == row.int8 } ?? no },
      plain: { $0.friend?.int8 == $0.int8 }
    )
    add(
      "friend.favourite.name BEGINSWITH 'b'",
      where: { $0.friend.favourite.name.starts(with: "b") },
      #Predicate { $0.friend?.favourite?.name.starts(with: "b") ?? no },
      plain: { $0.friend?.favourite?.name.starts("b") ?? false }
    )
    add(
      "favourite.maker.country == 'DE'",
      where: { $0.favourite.maker.country == "DE" },
      #Predicate { $0.favourite?.maker?.country == "DE" },
      plain: { $0.favourite?.maker?.country == "DE" }
    )
    add(
      "favourite.weight == nil",
      where: { $0.favourite.weight == nil },
      #Predicate { $0.favourite?.weight == nil },
      plain: { $0.favourite?.weight == nil }
    )
    add(
      "favourite.price == %@",
      Double.nan,
      where: { $0.favourite.price == Double.nan },
      plain: {
        _ = $0; return false
      }
    )
    add(
      "favourite.price < 2 AND friend.bool",
      where: { $0.favourite.price < 2 && $0.friend.bool },
      #Predicate { ($0.favourite.flatMap { $0.price < two } ?? no) && $0.friend?.bool == yes },
      plain: { $0.favourite?.price <? 2 && $0.friend?.bool == true }
    )
    add(
      "NOT favourite.price < 2",
      where: { !($0.favourite.price < 2) },
      #Predicate { !($0.favourite.flatMap { $0.price < 2 } ?? no) },
      plain: { !($0.favourite?.price <? 2) }
    )
    add(
      "favourite.name == friend.favourite.name",
      where: { $0.favourite.name == $0.friend.favourite.name },
      #Predicate { $0.favourite?.name == $0.friend?.favourite?.name },
      plain: { $0.favourite?.name == $0.friend?.favourite?.name }
    )
    add(
      "ANY favourite.fans.int8 == 3",
      where: { $0.favourite.fans.int8 == 3 },
      #Predicate { $0.favourite.flatMap { $0.fans.contains { $0.int8 == 3 } } ?? no },
      plain: { $0.favourite?.fans.contains { $0.int8 == 3 } ?? false }
    )
    add(
      "favourite.fans.@count > 12",
      where: { $0.favourite.fans.count > 12 },
      #Predicate { $0.favourite.flatMap { $0.fans.count > 12 } ?? no },
      plain: { $0.favourite.map { $0.fans.count > 12 } ?? false }
    )
    add(
      "toys.owners.bool == false",
      where: { $0.toys.owners.bool == false },
      #Predicate { $0.toys.contains { $0.owners.contains { $0.bool == false } } },
      plain: { $0.toys.contains { $0.owners.contains { !$0.bool } } }
    )
    add(
      "ANY toys.maker.toys.price > 50",
      where: { $0.toys.maker.toys.price > 50 },
      plain: { $0.toys.contains { $0.maker?.toys.contains { $0.price > 50 } ?? false } }
    )
    add(
      "collar.maker.founded > 1950",
      where: { $0.collar.maker.founded > 1950 },
      #Predicate { $0.collar?.maker.flatMap { $0.founded > 1950 } ?? no },
      plain: { $0.collar?.maker?.founded >? 1950 }
    )
  }
}
