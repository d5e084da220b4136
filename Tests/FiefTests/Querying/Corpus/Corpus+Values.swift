import Fief
import Foundation

extension Corpus {
  /// Truth values, bytes, dates, identifiers, enumerations and values of any type.
  mutating func addValues() {
    // Literals in a #Predicate cost the compiler much.
    let no = false
    let day = CorpusData.dates[1]
    let past = Date.distantPast
    let uuid = CorpusData.uuids[1]
    let uuids = [CorpusData.uuids[0], CorpusData.uuids[3]]
    let noUUID: UUID? = nil
    let objectId = CorpusData.objectIds[2]
    let bytes = Data([1, 2, 3])
    let start = Data([1, 2])
    let small = CorpusSize.small
    let sizes: [CorpusSize] = [.small, .large]
    let high = CorpusLevel.high
    let five = CorpusCents(amount: 5)
    add(
      "bool == true",
      where: { $0.bool == true },
      #Predicate { $0.bool == true },
      plain: { $0.bool }
    )
    add(
      "bool",
      where: { $0.bool },
      #Predicate { $0.bool },
      plain: { $0.bool }
    )
    add(
      "NOT bool",
      where: { !$0.bool },
      #Predicate { !$0.bool },
      plain: { !$0.bool }
    )
    add(
      "bool != true",
      where: { $0.bool != true },
      #Predicate { $0.bool != true },
      plain: { !$0.bool }
    )
    add(
      "flag == true",
      where: { $0.flag == true },
      #Predicate { $0.flag == true },
      plain: { $0.flag == true }
    )
    add(
      "flag == false",
      where: { $0.flag == false },
      #Predicate { $0.flag == false },
      plain: { $0.flag == false }
    )
    add(
      "flag == nil",
      where: { $0.flag == nil },
      #Predicate { $0.flag == nil },
      plain: { $0.flag == nil }
    )
    add(
      "flag != true",
      where: { $0.flag != true },
      #Predicate { $0.flag != true },
      plain: { $0.flag != true }
    )
    add(
      "bool == flag",
      where: { $0.bool == $0.flag },
      plain: { $0.bool == $0.flag }
    )
    add(
      "date == %@",
      day,
      where: { $0.date == day },
      #Predicate { $0.date == day },
      plain: { $0.date == day }
    )
    add(
      "date != %@",
      day,
      where: { $0.date != day },
      #Predicate { $0.date != day },
      plain: { $0.date != day }
    )
    add(
      "date < %@",
      day,
      where: { $0.date < day },
      #Predicate { $0.date < day },
      plain: { $0.date < day }
    )
    add(
      "date <= %@",
      day,
      where: { $0.date <= day },
      #Predicate { $0.date <= day },
      plain: { $0.date <= day }
    )
    add(
      "date > %@",
      day,
      where: { $0.date > day },
      #Predicate { $0.date > day },
      plain: { $0.date > day }
    )
    add(
      "date >= %@",
      day,
      where: { $0.date >= day },
      #Predicate { $0.date >= day },
      plain: { $0.date >= day }
    )
    add(
      "date == date('2001-01-02T00:00:00Z')",
      where: { $0.date == day },
      #Predicate { $0.date == day },
      plain: { $0.date == day }
    )
    add(
      "date == 2001-01-02@00:00:00",
      where: { $0.date == day },
      #Predicate { $0.date == day },
      plain: { $0.date == day }
    )
    add(
      "date BETWEEN {%@, %@}",
      past,
      day,
      where: { $0.date.contains(past...day) },
      #Predicate { (past...day).contains($0.date) },
      plain: { $0.date <= day }
    )
    add(
      "optDate > %@",
      day,
      where: { $0.optDate > day },
      #Predicate { $0.optDate.flatMap { $0 > day } ?? no },
      plain: { $0.optDate >? day }
    )
    add(
      "optDate == NULL",
      where: { $0.optDate == nil },
      #Predicate { $0.optDate == nil },
      plain: { $0.optDate == nil }
    )
    add(
      "optDate <= date",
      where: { $0.optDate <= $0.date },
      #Predicate { row in row.optDate.flatMap { $0 <= row.date } ?? no },
      plain: { $0.optDate <=? $0.date }
    )
    add(
      "uuid == %@",
      uuid,
      where: { $0.uuid == uuid },
      #Predicate { $0.uuid == uuid },
      plain: { $0.uuid == uuid }
    )
    add(
      "uuid == uuid('55010203-0405-0607-0809-0a0b0c0d0e01')",
      where: { $0.uuid == uuid },
      #Predicate { $0.uuid == uuid },
      plain: { $0.uuid == uuid }
    )
    add(
      "uuid != %@",
      uuid,
      where: { $0.uuid != uuid },
      #Predicate { $0.uuid != uuid },
      plain: { $0.uuid != uuid }
    )
    add(
      "uuid IN %@",
      uuids,
      where: { $0.uuid.in(uuids) },
      #Predicate { uuids.contains($0.uuid) },
      plain: { uuids.contains($0.uuid) }
    )
    add(
      "optUUID == %@",
      noUUID as Any,
      where: { $0.optUUID == noUUID },
      #Predicate { $0.optUUID == noUUID },
      plain: { $0.optUUID == noUUID }
    )
    add(
      "optUUID == uuid",
      where: { $0.optUUID == $0.uuid },
      #Predicate { row in row.optUUID.flatMap { $0 == row.uuid } ?? no },
      plain: { $0.optUUID == $0.uuid }
    )
    add(
      "objectId == %@",
      objectId,
      where: { $0.objectId == objectId },
      #Predicate { $0.objectId == objectId },
      plain: { $0.objectId == objectId }
    )
    add(
      "objectId == oid('aa0102030405060708090a02')",
      where: { $0.objectId == objectId },
      #Predicate { $0.objectId == objectId },
      plain: { $0.objectId == objectId }
    )
    add(
      "data == %@",
      bytes,
      where: { $0.data == bytes },
      #Predicate { $0.data == bytes },
      plain: { $0.data == bytes }
    )
    add(
      "data != %@",
      bytes,
      where: { $0.data != bytes },
      #Predicate { $0.data != bytes },
      plain: { $0.data != bytes }
    )
    add(
      "data BEGINSWITH %@",
      start,
      where: { $0.data.starts(with: start) },
      #Predicate { $0.data.starts(with: start) },
      plain: { $0.data.starts(with: start) }
    )
    add(
      "data CONTAINS %@",
      Data([0]),
      where: { $0.data.contains(Data([0])) },
      plain: { $0.data.contains(0) }
    )
    add(
      "data ENDSWITH %@",
      Data([1]),
      where: { $0.data.ends(with: Data([1])) },
      plain: { $0.data.last == 1 }
    )
    add(
      "data.@length == 3",
      where: { $0.data.length == 3 },
      #Predicate { $0.data.count == 3 },
      plain: { $0.data.count == 3 }
    )
    add(
      "data == %@",
      Data(),
      where: { $0.data == Data() },
      #Predicate { $0.data.isEmpty },
      plain: { $0.data.isEmpty }
    )
    add(
      "optData == nil",
      where: { $0.optData == nil },
      #Predicate { $0.optData == nil },
      plain: { $0.optData == nil }
    )
    add(
      "size == 'small'",
      where: { $0.size == .small },
      #Predicate { $0.size == small },
      plain: { $0.size == .small }
    )
    add(
      "size != %@",
      small,
      where: { $0.size != small },
      #Predicate { $0.size != small },
      plain: { $0.size != small }
    )
    add(
      "size IN %@",
      sizes,
      where: { $0.size.in(sizes) },
      #Predicate { sizes.contains($0.size) },
      plain: { sizes.contains($0.size) }
    )
    add(
      "size IN {'small', 'large'}",
      where: { $0.size.in([.small, .large]) },
      #Predicate { sizes.contains($0.size) },
      plain: { $0.size != .medium }
    )
    add(
      "size BEGINSWITH 'l'",
      where: { $0.size.rawValue.starts(with: "l") },
      #Predicate { $0.size.rawValue.starts(with: "l") },
      plain: { $0.size == .large }
    )
    add(
      "optSize == nil",
      where: { $0.optSize == nil },
      #Predicate { $0.optSize == nil },
      plain: { $0.optSize == nil }
    )
    add(
      "optSize == 'large'",
      where: { $0.optSize == .large },
      #Predicate { $0.optSize.flatMap { $0.rawValue == "large" } ?? no },
      plain: { $0.optSize == .large }
    )
    add(
      "optSize IN {'small', nil}",
      where: { $0.optSize.in([.small, nil]) },
      plain: { $0.optSize == .small || $0.optSize == nil }
    )
    add(
      "level == 9",
      where: { $0.level == .high },
      #Predicate { $0.level == high },
      plain: { $0.level == .high }
    )
    add(
      "level > -1",
      where: { $0.level.rawValue > -1 },
      #Predicate { $0.level.rawValue > -1 },
      plain: { $0.level.rawValue > -1 }
    )
    add(
      "level < %@",
      high,
      where: { $0.level < high },
      plain: { $0.level != .high }
    )
    add(
      "cents == 5",
      where: { $0.cents == five },
      #Predicate { $0.cents == five },
      plain: { $0.cents == 5 }
    )
    add(
      "cents >= 5",
      where: { $0.cents >= five },
      #Predicate { $0.cents.persistableValue >= 5 },
      plain: { $0.cents >= 5 }
    )
    add(
      "`any` == 3",
      where: { $0.any == 3 },
      plain: { [.int(3), .double(3), .decimal128(3)].contains($0.any) }
    )
    add(
      "`any` == 'a'",
      where: { $0.any == "a" },
      plain: { $0.any == .string("a") }
    )
    add(
      "`any` == nil",
      where: { $0.any == nil },
      plain: { $0.any == .none }
    )
    add(
      "`any` > 1.25",
      where: { $0.any > .double(1.25) },
      plain: { [.int(3), .double(3), .decimal128(3), .int(.max), .float(1.5)].contains($0.any) }
    )
    add(
      "`any` == %@",
      day,
      where: { $0.any == .date(day) },
      plain: { $0.any == .date(day) }
    )
    add(
      "`any` == true",
      where: { $0.any == true },
      plain: { $0.any == .bool(true) }
    )
    add(
      "`any` != 3",
      where: { $0.any != .int(3) },
      plain: { ![.int(3), .double(3), .decimal128(3)].contains($0.any) }
    )
    add(
      "`any` BEGINSWITH '3'",
      where: { $0.any.starts(with: "3") },
      plain: { $0.any == .string("3") }
    )
  }
}
