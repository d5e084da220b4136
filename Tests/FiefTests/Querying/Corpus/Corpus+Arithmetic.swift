import Fief
import Foundation

extension Corpus {
  /// Calculations.
  mutating func addArithmetic() {
    add(
      "int8 + 1 > 3",
      where: { $0.int8 + 1 > 3 },
      plain: { Int($0.int8) + 1 > 3 }
    )
    add(
      "id + 1 == 18",
      where: { $0.id + 1 == 18 },
      #Predicate { $0.id + 1 == 18 },
      plain: { $0.id + 1 == 18 }
    )
    add(
      "id - 5 < 0",
      where: { $0.id - 5 < 0 },
      #Predicate { $0.id - 5 < 0 },
      plain: { $0.id - 5 < 0 }
    )
    add(
      "id * 2 == 34",
      where: { $0.id * 2 == 34 },
      #Predicate { $0.id * 2 == 34 },
      plain: { $0.id * 2 == 34 }
    )
    add(
      "id / 10 == 3",
      where: { $0.id / 10 == 3 },
      #Predicate { $0.id / 10 == 3 },
      plain: { $0.id / 10 == 3 }
    )
    add(
      "id % 10 == 3",
      where: { $0.id % 10 == 3 },
      #Predicate { $0.id % 10 == 3 },
      plain: { $0.id % 10 == 3 }
    )
    add(
      "(id - 60) / 7 == -3",
      where: { ($0.id - 60) / 7 == -3 },
      #Predicate { ($0.id - 60) / 7 == -3 },
      plain: { ($0.id - 60) / 7 == -3 }
    )
    add(
      "(id - 60) % 7 == -3",
      where: { ($0.id - 60) % 7 == -3 },
      #Predicate { ($0.id - 60) % 7 == -3 },
      plain: { ($0.id - 60) % 7 == -3 }
    )
    add(
      "id / 0 == nil",
      where: { $0.id / 0 == nil },
      plain: {
        _ = $0; return true
      }
    )
    add(
      "id / 0 > 1",
      where: { $0.id / 0 > 1 },
      plain: {
        _ = $0; return false
      }
    )
    add(
      "-id < -100",
      where: { -$0.id < -100 },
      #Predicate { -$0.id < -100 },
      plain: { -$0.id < -100 }
    )
    add(
      "int + int64 > 0",
      where: { $0.int + $0.int64 > 0 },
      plain: { $0.int128 + Int128($0.int64) > 0 }
    )
    add(
      "int * int64 == 9",
      where: { $0.int * $0.int64 == 9 },
      plain: { $0.int128 * Int128($0.int64) == 9 }
    )
    add(
      "id + optInt == nil",
      where: { $0.id + $0.optInt == nil },
      plain: { $0.optInt == nil }
    )
    add(
      "optInt + 1 > id",
      where: { $0.optInt + 1 > $0.id },
      plain: { row in row.optInt.map { Int128($0) + 1 > Int128(row.id) } ?? false }
    )
    add(
      "double * 2 == 3",
      where: { $0.double * 2 == 3 },
      #Predicate { $0.double * 2 == 3 },
      plain: { $0.double * 2 == 3 }
    )
    add(
      "double / 2 < 0",
      where: { $0.double / 2 < 0 },
      #Predicate { $0.double / 2 < 0 },
      plain: { $0.double / 2 < 0 }
    )
    add(
      "double + id > 100",
      where: { $0.double + $0.id > 100 },
      plain: { $0.double + Double($0.id) > 100 }
    )
    add(
      "decimal + 1 == 2.5m",
      where: { $0.decimal + 1 == 2.5 },
      #Predicate { $0.decimal + 1 == 2.5 },
      plain: { $0.decimal + 1 == 2.5 }
    )
    add(
      "id + id * 2 == 51",
      where: { $0.id + $0.id * 2 == 51 },
      #Predicate { $0.id + $0.id * 2 == 51 },
      plain: { $0.id * 3 == 51 }
    )
    add(
      "(id + id) * 2 == 68",
      where: { ($0.id + $0.id) * 2 == 68 },
      #Predicate { ($0.id + $0.id) * 2 == 68 },
      plain: { $0.id * 4 == 68 }
    )
    add(
      "id - int8 > 100",
      where: { $0.id - $0.int8 > 100 },
      plain: { $0.id - Int($0.int8) > 100 }
    )
  }
}
