import Fief
import Foundation

extension Corpus {
  /// All, none and any of the elements, one inside of the other, and counted.
  mutating func addQuantifiers() {
    // Literals in a #Predicate cost the compiler much.
    let no = false
    let (one, x, zero): (Double, String, Int8) = (1, "x", 0)
    let (nothing, single, two, five): (Int, Int, Int, Int) = (0, 1, 2, 5)
    add(
      "ALL toys.price > 1",
      where: { $0.toys.all { $0.price > 1 } },
      #Predicate { $0.toys.allSatisfy { $0.price > 1 } },
      plain: { $0.toys.allSatisfy { $0.price > 1 } }
    )
    add(
      "NONE toys.price > 1",
      where: { $0.toys.none { $0.price > 1 } },
      #Predicate { !$0.toys.contains { $0.price > 1 } },
      plain: { !$0.toys.contains { $0.price > 1 } }
    )
    add(
      "SOME toys.price > 1",
      where: { $0.toys.any { $0.price > 1 } },
      #Predicate { $0.toys.contains { $0.price > 1 } },
      plain: { $0.toys.contains { $0.price > 1 } }
    )
    add(
      "ALL ints > 0",
      where: { $0.ints.all { $0 > 0 } },
      #Predicate { $0.ints.allSatisfy { $0 > 0 } },
      plain: { $0.ints.allSatisfy { $0 > 0 } }
    )
    add(
      "NONE ints > 0",
      where: { $0.ints.none { $0 > 0 } },
      #Predicate { !$0.ints.contains { $0 > 0 } },
      plain: { !$0.ints.contains { $0 > 0 } }
    )
    add(
      "ALL optInts != nil",
      where: { $0.optInts.all { $0 != nil } },
      #Predicate { $0.optInts.allSatisfy { $0 != nil } },
      plain: { $0.optInts.allSatisfy { $0 != nil } }
    )
    add(
      "NOT ALL toys.weight > 0",
      where: { !$0.toys.all { $0.weight > 0 } },
      #Predicate { !$0.toys.allSatisfy { $0.weight.flatMap { $0 > 0 } ?? no } },
      plain: { !$0.toys.allSatisfy { $0.weight >? 0 } }
    )
    add(
      "SUBQUERY(toys, $t, $t.price > 1 AND $t.weight != nil).@count > 1",
      where: { $0.toys.subquery { $0.price > 1 && $0.weight != nil }.count > 1 },
      #Predicate { $0.toys.filter { $0.price > 1 && $0.weight != nil }.count > 1 },
      plain: { $0.toys.filter { $0.price > 1 && $0.weight != nil }.count > 1 }
    )
    add(
      "SUBQUERY(toys, $x, $x.price > 1 AND $x.name != 'x').@count == 2",
      where: { ($0.toys.price > 1 && $0.toys.name != "x").count == 2 },
      #Predicate { $0.toys.filter { $0.price > one && $0.name != x }.count == two },
      plain: { $0.toys.filter { $0.price > 1 && $0.name != "x" }.count == 2 }
    )
    add(
      "SUBQUERY(toys, $x, $x.price > 1).@count == 0",
      where: { ($0.toys.price > 1).count == 0 },
      #Predicate { $0.toys.filter { $0.price > 1 }.isEmpty },
      plain: { $0.toys.filter { $0.price > 1 }.isEmpty }
    )
    add(
      "SUBQUERY(toys, $t, $t.weight > int8).@count >= 1",
      where: { item in item.toys.subquery { $0.weight > item.int8 }.count >= 1 },
      plain: { row in row.toys.contains { $0.weight.map { $0 > Int(row.int8) } ?? false } }
    )
    add(
      "SUBQUERY(toys, $t, $t.name == favourite.name).@count > 0",
      where: { item in item.toys.subquery { $0.name == item.favourite.name }.count > 0 },
      plain: { row in row.toys.contains { $0.name == row.favourite?.name } }
    )
    add(
      "SUBQUERY(toys, $t, SUBQUERY($t.owners, $o, $o.int8 > 0).@count > 5).@count > 0",
      where: { $0.toys.subquery { $0.owners.subquery { $0.int8 > 0 }.count > 5 }.count > 0 },
      #Predicate { $0.toys.filter { $0.owners.filter { $0.int8 > zero }.count > five }.count > nothing },
      plain: { $0.toys.contains { $0.owners.filter { $0.int8 > 0 }.count > 5 } }
    )
    add(
      "SUBQUERY(toys, $t, SUBQUERY($t.owners, $o, $o.id == id).@count == 0).@count == 0",
      where: { item in item.toys.subquery { $0.owners.subquery { $0.id == item.id }.count == 0 }.count == 0 },
      #Predicate { item in item.toys.filter { $0.owners.filter { $0.id == item.id }.isEmpty }.isEmpty },
      plain: {
        _ = $0; return true
      }
    )
    add(
      "SUBQUERY(toys, $t, SUBQUERY($t.owners, $o, $o.id < id AND $o.string == $t.name).@count == 0).@count > 1",
      where: { item in
        item.toys.subquery { toy in
          toy.owners.subquery { $0.id < item.id && $0.string == toy.name }.count == 0
        }.count > single
      },
      #Predicate { item in
        item.toys.filter { toy in toy.owners.filter { $0.id < item.id && $0.string == toy.name }.isEmpty }
          .count > single
      },
      plain: { row in
        row.toys.filter { toy in !toy.owners.contains { $0.id < row.id && $0.string == toy.name } }.count > 1
      }
    )
    add(
      "SUBQUERY(ints, $i, $i > 0).@count > 1",
      where: { $0.ints.subquery { $0 > 0 }.count > 1 },
      #Predicate { $0.ints.filter { $0 > 0 }.count > 1 },
      plain: { $0.ints.filter { $0 > 0 }.count > 1 }
    )
    add(
      "SUBQUERY(toys, $t, NOT ($t.price > 1 OR $t.weight == nil)).@count > 0",
      where: { (!($0.toys.price > 1 || $0.toys.weight == nil)).count > 0 },
      #Predicate { $0.toys.filter { !($0.price > 1 || $0.weight == nil) }.count > 0 },
      plain: { $0.toys.contains { !($0.price > 1 || $0.weight == nil) } }
    )
    add(
      "SUBQUERY(friend.toys, $t, $t.price > 1).@count > 1",
      where: { $0.friend.toys.subquery { $0.price > 1 }.count > 1 },
      #Predicate { $0.friend.flatMap { $0.toys.filter { $0.price > one }.count > single } ?? no },
      plain: { ($0.friend?.toys.filter { $0.price > 1 }.count ?? 0) > 1 }
    )
    add(
      "SUBQUERY(toys, $t, $t.price > 1).@count < toys.@count",
      where: { $0.toys.subquery { $0.price > 1 }.count < $0.toys.count },
      #Predicate { $0.toys.filter { $0.price > 1 }.count < $0.toys.count },
      plain: { $0.toys.filter { $0.price > 1 }.count < $0.toys.count }
    )
  }
}
