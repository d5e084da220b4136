import Fief
import FiefConsole
import Foundation

extension EveryTypeValues {
  /// Fills a store with objects that link each other in circles.
  mutating func fill(_ repository: EveryType.Repository, objects count: Int) throws {
    var compounds: [EveryType.Compound] = []
    var numbered: [EveryType.Numbered] = []
    var all: [EveryType.Everything] = []
    for index in 0..<5 {
      let compound = EveryType.Compound()
      compound.name = index == 0 ? "" : string() + "\(index)"
      compound.id = uuid()
      compound.year = integer(Int16.self)
      compound.note = maybe(string())
      compounds.append(compound)
      let row = EveryType.Numbered()
      row.name = string()
      numbered.append(row)
    }
    for (index, row) in numbered.enumerated() { row.next = numbered[(index + 1) % numbered.count] }
    for index in 0..<count {
      let object = EveryType.Everything()
      object.id = index == 0 ? .min : index == 1 ? .max : index
      all.append(object)
    }
    for object in all {
      fillScalars(of: object)
      fillOptionals(of: object)
      object.other = maybe(all[below(all.count)])
      object.numbered = maybe(numbered[below(numbered.count)])
      object.compound = maybe(compounds[below(compounds.count)])
      object.part = bool() ? part(compounds, depth: 2) : nil
      for _ in 0..<below(4) {
        object.ints.append(integer(Int.self))
        object.maybeStrings.append(maybe(string()))
        object.dates.insert(Date(timeIntervalSinceReferenceDate: Double(below(1000)) / 8))
        object.strings.insert(string())
        object.doubles[string()] = double()
        object.maybeDatas[string()] = .some(maybe(data()))
        object.values.append(any())
        object.parts.append(part(compounds, depth: 1))
        object.others.append(all[below(all.count)])
        object.compounds.insert(compounds[below(compounds.count)])
        object.numberedByName[string()] = .some(maybe(numbered[below(numbered.count)]))
      }
    }
    try repository.write { transaction in
      try transaction.add(compounds)
      try transaction.add(numbered)
      try transaction.add(all)
      // A gap in the numbers.
      try transaction.delete(numbered[2])
    }
  }

  private mutating func fillScalars(of object: EveryType.Everything) {
    object.bool = bool()
    object.int8 = integer(Int8.self)
    object.int16 = integer(Int16.self)
    object.int32 = integer(Int32.self)
    object.int = integer(Int.self)
    object.float = float()
    object.double = double()
    object.string = string()
    object.data = data()
    object.date = date()
    object.uuid = uuid()
    object.objectId = objectId()
    object.decimal = decimal()
    object.any = any()
  }

  private mutating func fillOptionals(of object: EveryType.Everything) {
    object.maybeBool = maybe(bool())
    object.maybeInt8 = maybe(integer(Int8.self))
    object.maybeInt = maybe(integer(Int.self))
    object.maybeFloat = maybe(float())
    object.maybeDouble = maybe(double())
    object.maybeString = maybe(string())
    object.maybeData = maybe(data())
    object.maybeDate = maybe(date())
    object.maybeUUID = maybe(uuid())
    object.maybeObjectId = maybe(objectId())
    object.maybeDecimal = maybe(decimal())
  }

  private mutating func part(_ compounds: [EveryType.Compound], depth: Int) -> EveryType.Part {
    let part = EveryType.Part()
    part.name = string()
    for _ in 0..<below(3) { part.amounts.append(decimal()) }
    part.link = maybe(compounds[below(compounds.count)])
    if depth > 0, bool() { part.inner = self.part(compounds, depth: depth - 1) }
    return part
  }
}
