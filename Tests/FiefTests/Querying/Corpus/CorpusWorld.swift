import Fief
import Foundation

/// Plain values, and the objects with them.
final class CorpusWorld {
  /// The number of rows that a store may have had before most properties were added. Nothing links to them.
  static let oldCount = 12

  private(set) var makers: [CorpusMakerRow] = []
  private(set) var toys: [CorpusToyRow] = []
  private(set) var rows: [CorpusRow] = []
  /// The same numbers each time, so that the corpus is.
  private var state: UInt64 = 20

  init() {
    for (country, founded) in [("DE", 1901), ("FR", 1999), ("", 0)] {
      let maker = CorpusMakerRow()
      maker.country = ByteText(country)
      maker.founded = founded
      makers.append(maker)
    }
    for number in 0..<8 { toys.append(toy(number)) }
    for id in 0..<120 { rows.append(row(id)) }
    for row in rows {
      for toy in toys where row.toys.contains(where: { $0 === toy }) { toy.owners.append(row) }
      row.favourite?.fans.append(row)
    }
  }

  private func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  private func pick<Value>(_ values: [Value]) -> Value { values[random(values.count)] }
  private func some<Value>(_ values: [Value]) -> Value? { random(4) == 0 ? nil : pick(values) }
  private func several<Value>(_ most: Int, _ value: () -> Value) -> [Value] {
    (0..<random(most + 1)).map { _ in value() }
  }

  private func toy(_ number: Int) -> CorpusToyRow {
    let toy = CorpusToyRow()
    toy.name = ["ball", "Bone", "rope", "car", "doll", "bone2", "x", "\u{C4}pfel"][number]
    toy.price = [1.5, 0.5, 10, .nan, -0.0, 3, 99.99, 1.5][number]
    toy.weight = [nil, 3, 0, 100, nil, 7, -5, 3][number]
    toy.maker = number % 4 == 3 ? nil : makers[number % 2]
    toy.maker?.toys.append(toy)
    return toy
  }

  private func collar() -> CorpusCollarRow {
    var collar = CorpusCollarRow()
    collar.color = pick(["red", "Red", "blue", ""])
    collar.width = some([1, 2, 3])
    if random(2) == 0 { collar.tag = CorpusTagRow(label: some(["a", "", "Ann"]), number: random(4)) }
    collar.holes = several(3) { random(5) }
    collar.maker = some(makers)
    return collar
  }

  private func row(_ id: Int) -> CorpusRow {
    let row = CorpusRow()
    row.id = id
    // The first rows are empty but for single values, the others have something of everything.
    guard id > 1 else { return row }
    guard id >= Self.oldCount else {
      row.int8 = pick([.min, -1, 0, 1, 3, 7, .max])
      row.int16 = pick([-1, 0, 1, 3, 7, 127])
      row.int = pick([-1, 0, 1, 3, 255, 65_536])
      row.optInt = some([-1, 3, 7, 255])
      row.double = pick([0, -0.0, .nan, .infinity, 0.5, 1.5, 3])
      row.objectId = pick(CorpusData.objectIds)
      return row
    }
    row.bool = random(2) == 0
    row.flag = some([true, false])
    row.int8 = pick([.min, -1, 0, 1, 3, 7, .max])
    row.int16 = pick([.min, -1, 0, 1, 3, 7, 255, .max])
    row.int32 = pick([.min, -1, 0, 1, 3, 7, 65_536, .max])
    row.int64 = Int64(pick(CorpusData.integers))
    row.int = pick(CorpusData.integers)
    row.optInt = some(CorpusData.integers)
    row.float = pick([0, -0.0, .nan, .infinity, 0.5, 1.5, -1.5, 3])
    row.double = pick(CorpusData.doubles)
    row.optDouble = some(CorpusData.doubles)
    row.decimal = pick(CorpusData.decimals)
    row.optDecimal = some(CorpusData.decimals)
    row.string = pick(CorpusData.strings)
    row.optString = some(CorpusData.strings)
    row.text = pick(CorpusData.texts)
    row.data = pick(CorpusData.blobs)
    row.optData = some(CorpusData.blobs)
    row.date = pick(CorpusData.dates)
    row.optDate = some(CorpusData.dates)
    row.uuid = pick(CorpusData.uuids)
    row.optUUID = some(CorpusData.uuids)
    row.objectId = pick(CorpusData.objectIds)
    row.any = pick(CorpusData.anys)
    row.size = pick(CorpusData.sizes)
    row.optSize = some(CorpusData.sizes)
    row.level = pick(CorpusData.levels)
    row.cents = pick([0, 5, 100, -5])
    row.friend = id > Self.oldCount ? some(Array(rows[Self.oldCount...])) : nil
    row.favourite = some(toys)
    row.toys = several(4) { pick(toys) }
    for toy in several(3, { pick(toys) }) where !row.toySet.contains(where: { $0 === toy }) {
      row.toySet.append(toy)
    }
    for key in ["a", "b", "Key"] where random(2) == 0 { row.toyMap[key] = .some(some(toys)) }
    row.collar = random(3) == 0 ? nil : collar()
    row.collars = several(2) { collar() }
    row.ints = several(4) { pick(CorpusData.integers) }
    row.optInts = several(3) { some([0, 1, 3]) }
    row.doubles = several(3) { pick([0, 0.5, 1.5, 3, -1.5]) }
    row.strings = several(3) { pick(CorpusData.strings) }
    row.sizes = several(2) { pick(CorpusData.sizes) }
    row.intSet = Set(several(3) { pick([0, 1, 2, 3]) })
    for key in ["a", "b", "Key"] where random(2) == 0 { row.prices[key] = pick([0.5, 1.5, 3, 10]) }
    for key in ["a", "é", "Key"] where random(2) == 0 { row.names[key] = pick(CorpusData.strings) }
    for key in ["a", "b"] where random(2) == 0 { row.counts[key] = .some(some([0, 3, 7])) }
    return row
  }

  /// Objects of both classes for the rows from one on, which link to those of ``CorpusItem``, with all others.
  func objects(from start: Int = 0) -> [Object] {
    let makers = makers.map { row in
      let maker = CorpusMaker()
      maker.country = row.country.text
      maker.founded = row.founded
      return maker
    }
    func maker(_ row: CorpusMakerRow?) -> CorpusMaker? {
      row.flatMap { row in self.makers.firstIndex { $0 === row } }.map { makers[$0] }
    }
    var toys: [ObjectIdentifier: CorpusToy] = [:]
    for row in self.toys {
      let toy = CorpusToy()
      toy.name = row.name.text
      toy.price = row.price
      toy.weight = row.weight
      toy.maker = maker(row.maker)
      toys[ObjectIdentifier(row)] = toy
    }
    let parts = CorpusParts(toy: { $0.flatMap { toys[ObjectIdentifier($0)] } }, maker: maker)
    let items = rows.map { _ in CorpusItem() }
    let indexed = rows.map { _ in IndexedCorpusItem() }
    for objects in [items, indexed as [CorpusItem]] {
      for (row, item) in zip(rows, objects) {
        item.fill(row, parts)
        item.friend = row.friend.map { items[$0.id] }
      }
    }
    var objects: [Object] = Array(toys.values)
    objects += makers as [Object]
    for item in items[start...] { objects.append(item) }
    for item in indexed[start...] { objects.append(item) }
    return objects
  }
}

extension CorpusWorld {
  /// The first rows, as objects of classes that have some of the properties and narrower types.
  func oldObjects() -> [Object] {
    rows.prefix(Self.oldCount).flatMap { row in
      [OldCorpusItem(), OldIndexedCorpusItem()].map { item in
        item.id = row.id
        item.int8 = row.int8
        item.int16 = Int8(row.int16)
        item.int = Int32(row.int)
        item.optInt = row.optInt.map { Int32($0) }
        item.double = Float(row.double)
        item.uuid = row.uuid
        item.objectId = row.objectId
        return item
      }
    }
  }
}

/// The objects that others link to.
struct CorpusParts {
  let toy: (CorpusToyRow?) -> CorpusToy?
  let maker: (CorpusMakerRow?) -> CorpusMaker?

  func collar(_ row: CorpusCollarRow) -> CorpusCollar {
    let collar = CorpusCollar()
    collar.color = row.color.text
    collar.width = row.width
    collar.tag = row.tag.map { row in
      let tag = CorpusTag()
      tag.label = row.label?.text
      tag.number = row.number
      return tag
    }
    collar.holes.append(objectsIn: row.holes)
    collar.maker = maker(row.maker)
    return collar
  }
}

extension CorpusItem {
  fileprivate func fill(_ row: CorpusRow, _ parts: CorpusParts) {
    id = row.id
    bool = row.bool
    flag = row.flag
    int8 = row.int8
    int16 = row.int16
    int32 = row.int32
    int64 = row.int64
    int = row.int
    optInt = row.optInt
    float = row.float
    double = row.double
    optDouble = row.optDouble
    decimal = row.decimal
    optDecimal = row.optDecimal
    string = row.string.text
    optString = row.optString?.text
    text = row.text.text
    data = row.data
    optData = row.optData
    date = row.date
    optDate = row.optDate
    uuid = row.uuid
    optUUID = row.optUUID
    objectId = row.objectId
    any = row.any
    size = row.size
    optSize = row.optSize
    level = row.level
    cents = CorpusCents(amount: row.cents)
    favourite = parts.toy(row.favourite)
    toys.append(objectsIn: row.toys.compactMap { parts.toy($0) })
    toySet.insert(objectsIn: row.toySet.compactMap { parts.toy($0) })
    for (key, toy) in row.toyMap { toyMap[key] = .some(parts.toy(toy)) }
    collar = row.collar.map { parts.collar($0) }
    collars.append(objectsIn: row.collars.map { parts.collar($0) })
    ints.append(objectsIn: row.ints)
    optInts.append(objectsIn: row.optInts)
    doubles.append(objectsIn: row.doubles)
    strings.append(objectsIn: row.strings.map(\.text))
    sizes.append(objectsIn: row.sizes)
    intSet.insert(objectsIn: row.intSet)
    for (key, price) in row.prices { prices[key] = price }
    for (key, name) in row.names { names[key] = name.text }
    for (key, count) in row.counts { counts[key] = .some(count) }
  }
}
