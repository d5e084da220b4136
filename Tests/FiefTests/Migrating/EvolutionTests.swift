import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

/// Random schemas over several versions, random records written at each of them, and a plain model.
@Suite struct EvolutionTests {
  private static let keys: [any EvolvingValue.Type] = [Int8.self, Int16.self, Int32.self, Int.self]
  /// The properties whose types change.
  private static let properties = [
    "EvolvedRow.a", "EvolvedRow.b", "EvolvedRow.c", "EvolvedPart.p", "EvolvedPart.q",
  ]

  @Test(arguments: 0..<TestEffort.count(1, more: 4))
  func everyRecordReadsAsIfItHadBeenRewritten(run: Int) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    let directory = try TemporaryDirectory()
    var types = (0..<5).map { _ in Evolution.all[random.next(Evolution.all.count)] }
    var key = 0
    var rows: [Int: EvolvedRecord] = [:]
    for version in 1...12 {
      let place = "seed \(seed), version \(version), types \(types)"
      try Evolution.$version.withValue(version) {
        let discarded = version > 1 ? change(&types, &rows, &random) : []
        if random.next(4) == 0 { key = min(key + 1, Self.keys.count - 1) }
        let schema = EvolvedSchema.make(Self.keys[key], types)
        let repository = EvolvedRepository(
          schemaVersion: UInt64(version),
          objectTypes: [schema.object],
          embeddedObjectTypes: [schema.part],
          migrationBlock: block(discarding: discarded),
          directory: directory.path
        )
        defer { repository.close() }
        try expect(rows, in: repository, schema, "\(place), before")
        // At some versions nothing is written, so that several changes come between.
        if random.next(4) > 0 { try write(&rows, to: repository, schema, &random) }
        try expect(rows, in: repository, schema, "\(place), after")
      }
    }
  }

  /// A block that says that the values of properties are not needed; none where there are no such properties.
  private func block(discarding properties: [String]) -> MigrationBlock? {
    if properties.isEmpty { return nil }
    return { migration, _ in
      for property in properties { migration.discard(property) }
    }
  }

  /// - Returns: the properties whose values are lost with their types.
  private func change(
    _ types: inout [any EvolvingValue.Type],
    _ rows: inout [Int: EvolvedRecord],
    _ random: inout StressRandom
  ) -> [String] {
    let old = types
    for index in types.indices {
      let choice = random.next(100)
      if choice < 40 { continue }
      let candidates =
        choice < 90 ? Evolution.wider(than: types[index]) : Evolution.foreign(to: types[index])
      types[index] = candidates[random.next(candidates.count)]
    }
    let new = types
    func migrate(_ values: inout [EvolvedValue], firstSlot: Int) {
      for index in values.indices {
        let slot = firstSlot + index
        if ObjectIdentifier(old[slot]) == ObjectIdentifier(new[slot]) { continue }
        values[index] =
          Evolution.converted(values[index], to: new[slot], from: old[slot])
          ?? new[slot].standard(slot + 1).evolved
      }
    }
    for (id, row) in rows {
      var row = row
      migrate(&row.values, firstSlot: 0)
      if var part = row.part {
        migrate(&part, firstSlot: 3)
        row.part = part
      }
      for index in row.parts.indices { migrate(&row.parts[index], firstSlot: 3) }
      rows[id] = row
    }
    return new.indices.filter { !Evolution.isConverted(old[$0], new[$0]) }.map { Self.properties[$0] }
  }

  private func write(
    _ rows: inout [Int: EvolvedRecord],
    to repository: EvolvedRepository,
    _ schema: EvolvedSchema,
    _ random: inout StressRandom
  ) throws {
    let types = schema.types
    try repository.store().write { transaction in
      for id in Set((0..<20).map { _ in random.next(100) }).sorted() {
        switch random.next(6) {
        case 0 where rows[id] != nil:
          try schema.delete(transaction, id)
          rows[id] = nil
        case 1 where rows[id] != nil, 2 where rows[id] != nil:
          let value = types[1].random(&random).evolved
          try schema.assign(transaction, id, value)
          rows[id]?.values[1] = value
        default:
          let record = EvolvedRecord(
            values: types[..<3].map { $0.random(&random).evolved },
            part: random.next(3) == 0 ? nil : types[3...].map { $0.random(&random).evolved },
            parts: (0..<random.next(3)).map { _ in types[3...].map { $0.random(&random).evolved } }
          )
          try schema.add(transaction, id, record)
          rows[id] = record
        }
      }
    }
  }

  private func expect(
    _ rows: [Int: EvolvedRecord],
    in repository: EvolvedRepository,
    _ schema: EvolvedSchema,
    _ place: String
  ) throws {
    let found = try schema.read(repository)
    #expect(found.count == rows.count, "\(place)")
    for (id, row) in rows where found[id] != row {
      Issue.record("\(place), row \(id): \(String(describing: found[id])), and it should be \(row)")
    }
    #expect(try schema.sorted(repository) == rows.values.map { $0.values[0] }.sorted(), "\(place)")
    #expect(try repository.check().problems == [], "\(place)")
    expectWhole(repository.store())
  }
}
