import Fief
import Foundation

extension Corpus {
  /// Every column of numbers with every comparison.
  mutating func addNumbers() {
    // Literals in a #Predicate cost the compiler much.
    let no = false
    add(
      "int8 == 3",
      where: { $0.int8 == 3 },
      #Predicate { $0.int8 == 3 },
      plain: { $0.int8 == 3 }
    )
    add(
      "int8 != 3",
      where: { $0.int8 != 3 },
      #Predicate { $0.int8 != 3 },
      plain: { $0.int8 != 3 }
    )
    add(
      "int8 < 3",
      where: { $0.int8 < 3 },
      #Predicate { $0.int8 < 3 },
      plain: { $0.int8 < 3 }
    )
    add(
      "int8 <= 3",
      where: { $0.int8 <= 3 },
      #Predicate { $0.int8 <= 3 },
      plain: { $0.int8 <= 3 }
    )
    add(
      "int8 > 3",
      where: { $0.int8 > 3 },
      #Predicate { $0.int8 > 3 },
      plain: { $0.int8 > 3 }
    )
    add(
      "int8 >= 3",
      where: { $0.int8 >= 3 },
      #Predicate { $0.int8 >= 3 },
      plain: { $0.int8 >= 3 }
    )
    add(
      "int16 == 255",
      where: { $0.int16 == 255 },
      #Predicate { $0.int16 == 255 },
      plain: { $0.int16 == 255 }
    )
    add(
      "int16 != 255",
      where: { $0.int16 != 255 },
      #Predicate { $0.int16 != 255 },
      plain: { $0.int16 != 255 }
    )
    add(
      "int16 < 255",
      where: { $0.int16 < 255 },
      #Predicate { $0.int16 < 255 },
      plain: { $0.int16 < 255 }
    )
    add(
      "int16 <= 255",
      where: { $0.int16 <= 255 },
      #Predicate { $0.int16 <= 255 },
      plain: { $0.int16 <= 255 }
    )
    add(
      "int16 > 255",
      where: { $0.int16 > 255 },
      #Predicate { $0.int16 > 255 },
      plain: { $0.int16 > 255 }
    )
    add(
      "int16 >= 255",
      where: { $0.int16 >= 255 },
      #Predicate { $0.int16 >= 255 },
      plain: { $0.int16 >= 255 }
    )
    add(
      "int32 == 65536",
      where: { $0.int32 == 65_536 },
      #Predicate { $0.int32 == 65_536 },
      plain: { $0.int32 == 65_536 }
    )
    add(
      "int32 != 65536",
      where: { $0.int32 != 65_536 },
      #Predicate { $0.int32 != 65_536 },
      plain: { $0.int32 != 65_536 }
    )
    add(
      "int32 < 65536",
      where: { $0.int32 < 65_536 },
      #Predicate { $0.int32 < 65_536 },
      plain: { $0.int32 < 65_536 }
    )
    add(
      "int32 <= 65536",
      where: { $0.int32 <= 65_536 },
      #Predicate { $0.int32 <= 65_536 },
      plain: { $0.int32 <= 65_536 }
    )
    add(
      "int32 > 65536",
      where: { $0.int32 > 65_536 },
      #Predicate { $0.int32 > 65_536 },
      plain: { $0.int32 > 65_536 }
    )
    add(
      "int32 >= 65536",
      where: { $0.int32 >= 65_536 },
      #Predicate { $0.int32 >= 65_536 },
      plain: { $0.int32 >= 65_536 }
    )
    add(
      "int64 == 7",
      where: { $0.int64 == 7 },
      #Predicate { $0.int64 == 7 },
      plain: { $0.int64 == 7 }
    )
    add(
      "int64 != 7",
      where: { $0.int64 != 7 },
      #Predicate { $0.int64 != 7 },
      plain: { $0.int64 != 7 }
    )
    add(
      "int64 < 7",
      where: { $0.int64 < 7 },
      #Predicate { $0.int64 < 7 },
      plain: { $0.int64 < 7 }
    )
    add(
      "int64 <= 7",
      where: { $0.int64 <= 7 },
      #Predicate { $0.int64 <= 7 },
      plain: { $0.int64 <= 7 }
    )
    add(
      "int64 > 7",
      where: { $0.int64 > 7 },
      #Predicate { $0.int64 > 7 },
      plain: { $0.int64 > 7 }
    )
    add(
      "int64 >= 7",
      where: { $0.int64 >= 7 },
      #Predicate { $0.int64 >= 7 },
      plain: { $0.int64 >= 7 }
    )
    add(
      "int == 3",
      where: { $0.int == 3 },
      #Predicate { $0.int == 3 },
      plain: { $0.int == 3 }
    )
    add(
      "int != 3",
      where: { $0.int != 3 },
      #Predicate { $0.int != 3 },
      plain: { $0.int != 3 }
    )
    add(
      "int < 3",
      where: { $0.int < 3 },
      #Predicate { $0.int < 3 },
      plain: { $0.int < 3 }
    )
    add(
      "int <= 3",
      where: { $0.int <= 3 },
      #Predicate { $0.int <= 3 },
      plain: { $0.int <= 3 }
    )
    add(
      "int > 3",
      where: { $0.int > 3 },
      #Predicate { $0.int > 3 },
      plain: { $0.int > 3 }
    )
    add(
      "int >= 3",
      where: { $0.int >= 3 },
      #Predicate { $0.int >= 3 },
      plain: { $0.int >= 3 }
    )
    add(
      "float == 1.5",
      where: { $0.float == 1.5 },
      #Predicate { $0.float == 1.5 },
      plain: { $0.float == 1.5 }
    )
    add(
      "float != 1.5",
      where: { $0.float != 1.5 },
      #Predicate { $0.float != 1.5 },
      plain: { $0.float != 1.5 }
    )
    add(
      "float < 1.5",
      where: { $0.float < 1.5 },
      #Predicate { $0.float < 1.5 },
      plain: { $0.float < 1.5 }
    )
    add(
      "float <= 1.5",
      where: { $0.float <= 1.5 },
      #Predicate { $0.float <= 1.5 },
      plain: { $0.float <= 1.5 }
    )
    add(
      "float > 1.5",
      where: { $0.float > 1.5 },
      #Predicate { $0.float > 1.5 },
      plain: { $0.float > 1.5 }
    )
    add(
      "float >= 1.5",
      where: { $0.float >= 1.5 },
      #Predicate { $0.float >= 1.5 },
      plain: { $0.float >= 1.5 }
    )
    add(
      "double == 0.5",
      where: { $0.double == 0.5 },
      #Predicate { $0.double == 0.5 },
      plain: { $0.double == 0.5 }
    )
    add(
      "double != 0.5",
      where: { $0.double != 0.5 },
      #Predicate { $0.double != 0.5 },
      plain: { $0.double != 0.5 }
    )
    add(
      "double < 0.5",
      where: { $0.double < 0.5 },
      #Predicate { $0.double < 0.5 },
      plain: { $0.double < 0.5 }
    )
    add(
      "double <= 0.5",
      where: { $0.double <= 0.5 },
      #Predicate { $0.double <= 0.5 },
      plain: { $0.double <= 0.5 }
    )
    add(
      "double > 0.5",
      where: { $0.double > 0.5 },
      #Predicate { $0.double > 0.5 },
      plain: { $0.double > 0.5 }
    )
    add(
      "double >= 0.5",
      where: { $0.double >= 0.5 },
      #Predicate { $0.double >= 0.5 },
      plain: { $0.double >= 0.5 }
    )
    add(
      "decimal == 1",
      where: { $0.decimal == 1 },
      #Predicate { $0.decimal == 1 },
      plain: { $0.decimal == 1 }
    )
    add(
      "decimal != 1",
      where: { $0.decimal != 1 },
      #Predicate { $0.decimal != 1 },
      plain: { $0.decimal != 1 }
    )
    add(
      "decimal < 1",
      where: { $0.decimal < 1 },
      #Predicate { $0.decimal < 1 },
      plain: { $0.decimal < 1 }
    )
    add(
      "decimal <= 1",
      where: { $0.decimal <= 1 },
      #Predicate { $0.decimal <= 1 },
      plain: { $0.decimal <= 1 }
    )
    add(
      "decimal > 1",
      where: { $0.decimal > 1 },
      #Predicate { $0.decimal > 1 },
      plain: { $0.decimal > 1 }
    )
    add(
      "decimal >= 1",
      where: { $0.decimal >= 1 },
      #Predicate { $0.decimal >= 1 },
      plain: { $0.decimal >= 1 }
    )
    add(
      "optInt == 3",
      where: { $0.optInt == 3 },
      #Predicate { $0.optInt == 3 },
      plain: { $0.optInt == 3 }
    )
    add(
      "optInt != 3",
      where: { $0.optInt != 3 },
      #Predicate { $0.optInt != 3 },
      plain: { $0.optInt != 3 }
    )
    add(
      "optInt < 3",
      where: { $0.optInt < 3 },
      #Predicate { $0.optInt.flatMap { $0 < 3 } ?? no },
      plain: { $0.optInt <? 3 }
    )
    add(
      "optInt <= 3",
      where: { $0.optInt <= 3 },
      #Predicate { $0.optInt.flatMap { $0 <= 3 } ?? no },
      plain: { $0.optInt <=? 3 }
    )
    add(
      "optInt > 3",
      where: { $0.optInt > 3 },
      #Predicate { $0.optInt.flatMap { $0 > 3 } ?? no },
      plain: { $0.optInt >? 3 }
    )
    add(
      "optInt >= 3",
      where: { $0.optInt >= 3 },
      #Predicate { $0.optInt.flatMap { $0 >= 3 } ?? no },
      plain: { $0.optInt >=? 3 }
    )
    add(
      "optInt == nil",
      where: { $0.optInt == nil },
      #Predicate { $0.optInt == nil },
      plain: { $0.optInt == nil }
    )
    add(
      "optInt != NULL",
      where: { $0.optInt != nil },
      #Predicate { $0.optInt != nil },
      plain: { $0.optInt != nil }
    )
    add(
      "optDouble == 1.5",
      where: { $0.optDouble == 1.5 },
      #Predicate { $0.optDouble == 1.5 },
      plain: { $0.optDouble == 1.5 }
    )
    add(
      "optDouble != 1.5",
      where: { $0.optDouble != 1.5 },
      #Predicate { $0.optDouble != 1.5 },
      plain: { $0.optDouble != 1.5 }
    )
    add(
      "optDouble < 1.5",
      where: { $0.optDouble < 1.5 },
      #Predicate { $0.optDouble.flatMap { $0 < 1.5 } ?? no },
      plain: { $0.optDouble <? 1.5 }
    )
    add(
      "optDouble <= 1.5",
      where: { $0.optDouble <= 1.5 },
      #Predicate { $0.optDouble.flatMap { $0 <= 1.5 } ?? no },
      plain: { $0.optDouble <=? 1.5 }
    )
    add(
      "optDouble > 1.5",
      where: { $0.optDouble > 1.5 },
      #Predicate { $0.optDouble.flatMap { $0 > 1.5 } ?? no },
      plain: { $0.optDouble >? 1.5 }
    )
    add(
      "optDouble >= 1.5",
      where: { $0.optDouble >= 1.5 },
      #Predicate { $0.optDouble.flatMap { $0 >= 1.5 } ?? no },
      plain: { $0.optDouble >=? 1.5 }
    )
    add(
      "optDouble == nil",
      where: { $0.optDouble == nil },
      #Predicate { $0.optDouble == nil },
      plain: { $0.optDouble == nil }
    )
    add(
      "optDouble != NULL",
      where: { $0.optDouble != nil },
      #Predicate { $0.optDouble != nil },
      plain: { $0.optDouble != nil }
    )
    add(
      "optDecimal == 1",
      where: { $0.optDecimal == 1 },
      #Predicate { $0.optDecimal == 1 },
      plain: { $0.optDecimal == 1 }
    )
    add(
      "optDecimal != 1",
      where: { $0.optDecimal != 1 },
      #Predicate { $0.optDecimal != 1 },
      plain: { $0.optDecimal != 1 }
    )
    add(
      "optDecimal < 1",
      where: { $0.optDecimal < 1 },
      #Predicate { $0.optDecimal.flatMap { $0 < 1 } ?? no },
      plain: { $0.optDecimal <? 1 }
    )
    add(
      "optDecimal <= 1",
      where: { $0.optDecimal <= 1 },
      #Predicate { $0.optDecimal.flatMap { $0 <= 1 } ?? no },
      plain: { $0.optDecimal <=? 1 }
    )
    add(
      "optDecimal > 1",
      where: { $0.optDecimal > 1 },
      #Predicate { $0.optDecimal.flatMap { $0 > 1 } ?? no },
      plain: { $0.optDecimal >? 1 }
    )
    add(
      "optDecimal >= 1",
      where: { $0.optDecimal >= 1 },
      #Predicate { $0.optDecimal.flatMap { $0 >= 1 } ?? no },
      plain: { $0.optDecimal >=? 1 }
    )
    add(
      "optDecimal == nil",
      where: { $0.optDecimal == nil },
      #Predicate { $0.optDecimal == nil },
      plain: { $0.optDecimal == nil }
    )
    add(
      "optDecimal != NULL",
      where: { $0.optDecimal != nil },
      #Predicate { $0.optDecimal != nil },
      plain: { $0.optDecimal != nil }
    )
  }
}
