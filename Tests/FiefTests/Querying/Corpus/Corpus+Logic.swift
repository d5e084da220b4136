import Fief
import Foundation

extension Corpus {
  /// Conditions that combine others.
  mutating func addLogic() {
    // The compiler needs seconds for several literals in one #Predicate.
    let (zero, three, seven, minusOne): (Int8, Int8, Int8, Int8) = (0, 3, 7, -1)
    let wideSeven: Int16 = 7
    let (ann, half): (String, Double) = ("Ann", 0.5)
    add(
      "int8 > 0 AND bool",
      where: { $0.int8 > 0 && $0.bool },
      #Predicate { $0.int8 > zero && $0.bool },
      plain: { $0.int8 > 0 && $0.bool }
    )
    add(
      "int8 > 0 OR bool",
      where: { $0.int8 > 0 || $0.bool },
      #Predicate { $0.int8 > zero || $0.bool },
      plain: { $0.int8 > 0 || $0.bool }
    )
    add(
      "NOT (int8 > 0 AND bool)",
      where: { !($0.int8 > 0 && $0.bool) },
      #Predicate { !($0.int8 > zero && $0.bool) },
      plain: { !($0.int8 > 0 && $0.bool) }
    )
    add(
      "!(int8 > 0 || bool)",
      where: { !($0.int8 > 0 || $0.bool) },
      #Predicate { !($0.int8 > zero || $0.bool) },
      plain: { !($0.int8 > 0 || $0.bool) }
    )
    add(
      "int8 > 0 && bool || int16 == 7",
      where: { $0.int8 > 0 && $0.bool || $0.int16 == 7 },
      #Predicate { $0.int8 > zero && $0.bool || $0.int16 == wideSeven },
      plain: { $0.int8 > 0 && $0.bool || $0.int16 == 7 }
    )
    add(
      "int8 > 0 && (bool || int16 == 7)",
      where: { $0.int8 > 0 && ($0.bool || $0.int16 == 7) },
      #Predicate { $0.int8 > zero && ($0.bool || $0.int16 == wideSeven) },
      plain: { $0.int8 > 0 && ($0.bool || $0.int16 == 7) }
    )
    add(
      "NOT NOT int8 == 3",
      where: { !(!($0.int8 == 3)) },
      #Predicate { !(!($0.int8 == 3)) },
      plain: { !(!($0.int8 == 3)) }
    )
    add(
      "int8 == 3 OR int8 == 7 OR int8 == -1",
      where: { $0.int8 == 3 || $0.int8 == 7 || $0.int8 == -1 },
      #Predicate { $0.int8 == three || $0.int8 == seven || $0.int8 == minusOne },
      plain: { $0.int8 == 3 || $0.int8 == 7 || $0.int8 == -1 }
    )
    add(
      "int8 >= 0 AND int8 < 7 AND int8 != 3",
      where: { $0.int8 >= 0 && $0.int8 < 7 && $0.int8 != 3 },
      #Predicate { $0.int8 >= zero && $0.int8 < seven && $0.int8 != three },
      plain: { $0.int8 >= 0 && $0.int8 < 7 && $0.int8 != 3 }
    )
    add(
      "TRUEPREDICATE",
      where: nil,
      #Predicate { _ in true },
      plain: {
        _ = $0; return true
      }
    )
    add(
      "FALSEPREDICATE",
      where: nil,
      #Predicate { _ in false },
      plain: {
        _ = $0; return false
      }
    )
    add(
      "int8 == 3 AND int8 == 7",
      where: { $0.int8 == 3 && $0.int8 == 7 },
      #Predicate { $0.int8 == three && $0.int8 == seven },
      plain: {
        _ = $0; return false
      }
    )
    add(
      "(int8 == 3 AND bool) OR (int8 == 7 AND NOT bool)",
      where: { ($0.int8 == 3 && $0.bool) || ($0.int8 == 7 && !$0.bool) },
      #Predicate { ($0.int8 == three && $0.bool) || ($0.int8 == seven && !$0.bool) },
      plain: { ($0.int8 == 3 && $0.bool) || ($0.int8 == 7 && !$0.bool) }
    )
    add(
      "size == 'small' AND int BETWEEN {0, 7}",
      where: { $0.size == .small && $0.int.contains(0...7) },
      plain: { $0.size == .small && (0...7).contains($0.int) }
    )
    add(
      "bool == true AND string == 'Ann' AND double >= 0.5",
      where: { $0.bool == true && $0.string == "Ann" && $0.double >= 0.5 },
      #Predicate { $0.bool == true && $0.string == ann && $0.double >= half },
      plain: { $0.bool && $0.string == "Ann" && $0.double >= 0.5 }
    )
    add(
      "bool == false AND string BEGINSWITH 'A'",
      where: { $0.bool == false && $0.string.starts(with: "A") },
      #Predicate { $0.bool == false && $0.string.starts(with: "A") },
      plain: { !$0.bool && $0.string.starts("A") }
    )
    add(
      "optInt == nil AND optString == nil",
      where: { $0.optInt == nil && $0.optString == nil },
      #Predicate { $0.optInt == nil && $0.optString == nil },
      plain: { $0.optInt == nil && $0.optString == nil }
    )
    add(
      "optInt == 3 AND optString >= 'A'",
      where: { $0.optInt == 3 && $0.optString >= "A" },
      plain: { $0.optInt == 3 && $0.optString >=? "A" }
    )
    add(
      "id == 17",
      where: { $0.id == 17 },
      #Predicate { $0.id == 17 },
      plain: { $0.id == 17 }
    )
    add(
      "id IN {1, 17, 17, 400}",
      where: { $0.id.in([1, 17, 17, 400]) },
      #Predicate { [1, 17, 17, 400].contains($0.id) },
      plain: { [1, 17].contains($0.id) }
    )
    add(
      "id > 10 AND id <= 20",
      where: { $0.id > 10 && $0.id <= 20 },
      #Predicate { $0.id > 10 && $0.id <= 20 },
      plain: { $0.id > 10 && $0.id <= 20 }
    )
    add(
      "id >= 100 OR id < 5",
      where: { $0.id >= 100 || $0.id < 5 },
      #Predicate { $0.id >= 100 || $0.id < 5 },
      plain: { $0.id >= 100 || $0.id < 5 }
    )
    add(
      "id == 3 OR string == 'Ann'",
      where: { $0.id == 3 || $0.string == "Ann" },
      #Predicate { $0.id == 3 || $0.string == ann },
      plain: { $0.id == 3 || $0.string == "Ann" }
    )
    add(
      "id != 0 AND NOT id == 1",
      where: { $0.id != 0 && !($0.id == 1) },
      #Predicate { $0.id != 0 && !($0.id == 1) },
      plain: { $0.id > 1 }
    )
    add(
      "id == 7 AND string == 'none'",
      where: { $0.id == 7 && $0.string == "none" },
      #Predicate { $0.id == 7 && $0.string == "none" },
      plain: {
        _ = $0; return false
      }
    )
  }
}
