import Fief
import Foundation

extension Corpus {
  /// Numbers at the ends of their ranges, ranges, and numbers of different kinds.
  mutating func addNumberValues() {
    // Literals in a #Predicate cost the compiler much.
    let no = false
    let (least, most): (Double, Double) = (-1.5, 1.5)
    let odd = Double.nan
    let largest = Int.max
    let few = [1, 3, 255]
    let none: [Int] = []
    let some: [Int?] = [nil, 3]
    let range = 1...7
    let halfOpen = 0.0..<1.5
    let huge: Int64 = 9_007_199_254_740_993
    let cent = Decimal(string: "0.1") ?? 0
    let digits = Decimal(string: "12345678901234567890.5") ?? 0
    add(
      "int == %@",
      largest,
      where: { $0.int == largest },
      #Predicate { $0.int == largest },
      plain: { $0.int == largest }
    )
    add(
      "int == -9223372036854775808",
      where: { $0.int == Int.min },
      plain: { $0.int == .min }
    )
    add(
      "int8 == -128",
      where: { $0.int8 == -128 },
      plain: { $0.int8 == -128 }
    )
    add(
      "int > 255 AND int < 9223372036854775807",
      where: { $0.int > 255 && $0.int < largest },
      #Predicate { $0.int > 255 && $0.int < largest },
      plain: { $0.int > 255 && $0.int < largest }
    )
    add(
      "double == %@",
      odd,
      where: { $0.double == odd },
      #Predicate { $0.double == odd },
      plain: { $0.double == odd }
    )
    add(
      "double != %@",
      odd,
      where: { $0.double != odd },
      #Predicate { $0.double != odd },
      plain: { $0.double != odd }
    )
    add(
      "double < $0 OR double >= $0",
      odd,
      where: { $0.double < odd || $0.double >= odd },
      #Predicate { $0.double < odd || $0.double >= odd },
      plain: {
        _ = $0; return false
      }
    )
    add(
      "double == 0",
      where: { $0.double == 0 },
      #Predicate { $0.double == 0 },
      plain: { $0.double == 0 }
    )
    add(
      "double == -0.0",
      where: { $0.double == -0.0 },
      #Predicate { $0.double == -0.0 },
      plain: { $0.double == 0 }
    )
    add(
      "float == 0 AND int8 > 0",
      where: { $0.float == 0 && $0.int8 > 0 },
      #Predicate { $0.float == 0 && $0.int8 > 0 },
      plain: { $0.float == 0 && $0.int8 > 0 }
    )
    add(
      "double > %@",
      1e299,
      where: { $0.double > 1e299 },
      #Predicate { $0.double > 1e299 },
      plain: { $0.double > 1e299 }
    )
    add(
      "double == %@",
      Double.infinity,
      where: { $0.double == Double.infinity },
      plain: { $0.double == .infinity }
    )
    add(
      "double >= -1.5 && double <= 1.5",
      where: { $0.double >= -1.5 && $0.double <= 1.5 },
      #Predicate { $0.double >= -1.5 && $0.double <= 1.5 },
      plain: { $0.double >= -1.5 && $0.double <= 1.5 }
    )
    add(
      "decimal == %@",
      cent,
      where: { $0.decimal == cent },
      #Predicate { $0.decimal == cent },
      plain: { $0.decimal == cent }
    )
    add(
      "decimal == 0.1m",
      where: { $0.decimal == cent },
      #Predicate { $0.decimal == cent },
      plain: { $0.decimal == cent }
    )
    add(
      "decimal >= %@",
      digits,
      where: { $0.decimal >= digits },
      #Predicate { $0.decimal >= digits },
      plain: { $0.decimal >= digits }
    )
    add(
      "optDecimal < 0",
      where: { $0.optDecimal < 0 },
      #Predicate { $0.optDecimal.flatMap { $0 < 0 } ?? no },
      plain: { $0.optDecimal <? 0 }
    )
    add(
      "int IN {1, 3, 255}",
      where: { $0.int.in(few) },
      #Predicate { few.contains($0.int) },
      plain: { few.contains($0.int) }
    )
    add(
      "int IN %@",
      none,
      where: { $0.int.in(none) },
      #Predicate { none.contains($0.int) },
      plain: {
        _ = $0; return false
      }
    )
    add(
      "optInt IN %@",
      some,
      where: { $0.optInt.in(some) },
      #Predicate { some.contains($0.optInt) },
      plain: { some.contains($0.optInt) }
    )
    add(
      "optInt IN {1, 3, 255}",
      where: { $0.optInt.in(few) },
      plain: { $0.optInt.map(few.contains) ?? false }
    )
    add(
      "NOT int IN {1, 3, 255}",
      where: { !$0.int.in(few) },
      #Predicate { !few.contains($0.int) },
      plain: { !few.contains($0.int) }
    )
    add(
      "int BETWEEN {1, 7}",
      where: { $0.int.contains(range) },
      #Predicate { range.contains($0.int) },
      plain: { range.contains($0.int) }
    )
    add(
      "int BETWEEN %@",
      range,
      where: { $0.int.contains(1...7) },
      #Predicate { (1...7).contains($0.int) },
      plain: { range.contains($0.int) }
    )
    add(
      "double >= 0 AND double < 1.5",
      where: { $0.double.contains(halfOpen) },
      #Predicate { halfOpen.contains($0.double) },
      plain: { halfOpen.contains($0.double) }
    )
    add(
      "optInt BETWEEN {1, 7}",
      where: { $0.optInt.contains(range) },
      #Predicate { $0.optInt.flatMap { range.contains($0) } ?? no },
      plain: { $0.optInt.map(range.contains) ?? false }
    )
    add(
      "int BETWEEN {7, 1}",
      where: nil,
      plain: {
        _ = $0; return false
      }
    )
    add(
      "optDouble BETWEEN {-1.5, 1.5}",
      where: { $0.optDouble.contains(-1.5...1.5) },
      #Predicate { $0.optDouble.flatMap { $0 >= least && $0 <= most } ?? no },
      plain: { $0.optDouble >=? -1.5 && $0.optDouble <=? 1.5 }
    )
    add(
      "int == int64",
      where: { $0.int == $0.int64 },
      plain: { Int64($0.int) == $0.int64 }
    )
    add(
      "int > int8",
      where: { $0.int > $0.int8 },
      plain: { $0.int > Int($0.int8) }
    )
    add(
      "int == double",
      where: { $0.int == $0.double },
      plain: { $0.double == Double(exactly: $0.int) ?? .nan || Int(exactly: $0.double) == $0.int }
    )
    add(
      "int < double",
      where: { $0.int < $0.double },
      plain: { row in
        // No double lies between two neighbours that differs from them as an integer of 64 bits.
        if row.double >= 0x1p63 { return true }
        guard row.double >= -0x1p63 else { return false }
        return row.int < Int(row.double.rounded(.down))
          || (row.int == Int(row.double.rounded(.down)) && row.double.rounded(.down) < row.double)
      }
    )
    add(
      "optInt == int",
      where: { $0.optInt == $0.int },
      #Predicate { row in row.optInt.flatMap { $0 == row.int } ?? no },
      plain: { $0.optInt == $0.int }
    )
    add(
      "optInt != int",
      where: { $0.optInt != $0.int },
      plain: { $0.optInt != $0.int }
    )
    add(
      "optInt < int",
      where: { $0.optInt < $0.int },
      #Predicate { row in row.optInt.flatMap { $0 < row.int } ?? no },
      plain: { $0.optInt <? $0.int }
    )
    add(
      "decimal == int",
      where: { $0.decimal == $0.int },
      plain: { $0.decimal == Decimal($0.int) }
    )
    add(
      "int64 != %@",
      huge,
      where: { $0.int64 != huge },
      #Predicate { $0.int64 != huge },
      plain: { $0.int64 != huge }
    )
    add(
      "double == 9007199254740992",
      where: { $0.double == 9_007_199_254_740_992 },
      #Predicate { $0.double == 9_007_199_254_740_992 },
      plain: { $0.double == 9_007_199_254_740_992 }
    )
    add(
      "double == %@",
      huge,
      where: nil,
      plain: {
        _ = $0; return false
      }
    )
    add(
      "float == double",
      where: { $0.float == $0.double },
      plain: { Double($0.float) == $0.double }
    )
    add(
      "optDouble == optDouble",
      where: { $0.optDouble == $0.optDouble },
      #Predicate { $0.optDouble == $0.optDouble },
      plain: { $0.optDouble == $0.optDouble }
    )
  }
}
