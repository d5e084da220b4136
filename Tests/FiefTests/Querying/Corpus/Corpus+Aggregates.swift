import Fief
import Foundation

extension Corpus {
  /// Least, greatest, sums and averages of elements.
  mutating func addAggregates() {
    // Literals in a #Predicate cost the compiler much.
    let no = false
    add(
      "ints.@count == 2",
      where: { $0.ints.count == 2 },
      #Predicate { $0.ints.count == 2 },
      plain: { $0.ints.count == 2 }
    )
    add(
      "doubles.@min < 0",
      where: { $0.doubles.min < 0 },
      #Predicate { $0.doubles.min().flatMap { $0 < 0 } ?? no },
      plain: { $0.doubles.min() <? 0 }
    )
    add(
      "doubles.@max >= 1.5",
      where: { $0.doubles.max >= 1.5 },
      #Predicate { $0.doubles.max().flatMap { $0 >= 1.5 } ?? no },
      plain: { $0.doubles.max() >=? 1.5 }
    )
    add(
      "doubles.@max == nil",
      where: { $0.doubles.max == nil },
      #Predicate { $0.doubles.max() == nil },
      plain: { $0.doubles.isEmpty }
    )
    add(
      "doubles.@sum == 0",
      where: { $0.doubles.sum == 0 },
      plain: { $0.doubles.reduce(0, +) == 0 }
    )
    add(
      "doubles.@sum > 1.5",
      where: { $0.doubles.sum > 1.5 },
      plain: { $0.doubles.reduce(0, +) > 1.5 }
    )
    add(
      "doubles.@avg > 0.75",
      where: { $0.doubles.avg > 0.75 },
      plain: { !$0.doubles.isEmpty && $0.doubles.reduce(0, +) / Double($0.doubles.count) > 0.75 }
    )
    add(
      "doubles.@avg == nil",
      where: { $0.doubles.avg == nil },
      plain: { $0.doubles.isEmpty }
    )
    add(
      "ints.@sum > 0",
      where: { $0.ints.sum > 0 },
      plain: { $0.ints.reduce(Int128(0)) { $0 + Int128($1) } > 0 }
    )
    add(
      "ints.@max == 9223372036854775807",
      where: { $0.ints.max == Int.max },
      plain: { $0.ints.max() == .max }
    )
    add(
      "optInts.@sum == 4",
      where: { $0.optInts.sum == 4 },
      plain: { $0.optInts.compactMap { $0 }.reduce(0, +) == 4 }
    )
    add(
      "optInts.@min == 0",
      where: { $0.optInts.min == 0 },
      plain: { $0.optInts.compactMap { $0 }.min() == 0 }
    )
    add(
      "optInts.@avg == nil",
      where: { $0.optInts.avg == nil },
      plain: { $0.optInts.allSatisfy { $0 == nil } }
    )
    add(
      "intSet.@sum >= 3",
      where: { $0.intSet.sum >= 3 },
      plain: { $0.intSet.reduce(0, +) >= 3 }
    )
    add(
      "toys.@sum.weight > 5",
      where: { $0.toys.weight.sum > 5 },
      plain: { $0.toys.compactMap(\.weight).reduce(0, +) > 5 }
    )
    add(
      "toys.@max.weight == 100",
      where: { $0.toys.weight.max == 100 },
      plain: { $0.toys.compactMap(\.weight).max() == 100 }
    )
    add(
      "toys.@min.weight < 0",
      where: { $0.toys.weight.min < 0 },
      plain: { $0.toys.compactMap(\.weight).min() <? 0 }
    )
    add(
      "toys.@avg.weight > 20",
      where: { $0.toys.weight.avg > 20 },
      plain: { row in
        let weights = row.toys.compactMap(\.weight)
        return !weights.isEmpty && Double(weights.reduce(0, +)) / Double(weights.count) > 20
      }
    )
    add(
      "toys.@max.maker.founded > 1950",
      where: { $0.toys.maker.founded.max > 1950 },
      plain: { $0.toys.compactMap { $0.maker?.founded }.max() >? 1950 }
    )
    add(
      "friend.toys.@sum.weight == 0",
      where: { $0.friend.toys.weight.sum == 0 },
      plain: { ($0.friend?.toys ?? []).compactMap(\.weight).reduce(0, +) == 0 }
    )
    add(
      "toys.@sum.weight == toys.@max.weight",
      where: { $0.toys.weight.sum == $0.toys.weight.max },
      plain: { row in
        let weights = row.toys.compactMap(\.weight)
        return weights.max() == weights.reduce(0, +)
      }
    )
  }
}
