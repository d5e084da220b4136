import Fief
import Foundation
import Testing

private enum Wide {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var part: Part?
    @Persisted var parts: List<Part>
    @Persisted var named: Map<String, Part?>
    @Persisted var box: Box?
    @Persisted var kept = ""
  }
  final class Part: EmbeddedObject {
    @Persisted var number = 0
    @Persisted var amount = 0
    @Persisted var maybe: Int?
    @Persisted var single: Float = 0
    @Persisted var text: String?
    @Persisted var codes: List<Int>
    @Persisted var label = ""
  }
  final class Box: EmbeddedObject {
    @Persisted var boxes: List<Box>
    @Persisted var part: Part?
  }
  static let objects: [Object.Type] = [Owner.self]
  static let parts: [EmbeddedObject.Type] = [Part.self, Box.self]
}

/// Nothing of it is done in place but the last ones.
private enum Narrow {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var part: Part?
    @Persisted var parts: List<Part>
    @Persisted var named: Map<String, Part?>
    @Persisted var box: Box?
    @Persisted var kept = ""
  }
  final class Part: EmbeddedObject {
    @Persisted var number: Int16 = 7
    @Persisted var amount = 0.5
    @Persisted var maybe: Int8 = -1
    @Persisted var single: Double?
    @Persisted var text = "none"
    @Persisted var codes: List<Int16>
    @Persisted var label = ""
  }
  final class Box: EmbeddedObject {
    @Persisted var boxes: List<Box>
    @Persisted var part: Part?
  }
  static let objects: [Object.Type] = [Owner.self]
  static let parts: [EmbeddedObject.Type] = [Part.self, Box.self]
}

/// The parts are objects of their own as well, with a key that was a wide number.
private enum Apart {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var part: Part?
    @Persisted var parts: List<Part>
    @Persisted var named: Map<String, Part?>
    @Persisted var box: Box?
  }
  final class Part: Object {
    @Persisted(primaryKey: true) var number: Int16 = 7
    @Persisted(indexed: true) var amount = 0.5
    @Persisted var codes: List<Int16>
  }
  final class Box: EmbeddedObject {
    @Persisted var boxes: List<Box>
    @Persisted var part: Part?
  }
}

private enum Renamed {
  final class Holder: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var part: Part?
    @Persisted var parts: List<Part>
  }
  final class Part: EmbeddedObject {
    @Persisted var number: Int16 = 7
    @Persisted var label = ""
  }
}

@Suite("Embedded objects whose properties get other types")
struct EmbeddedTypeChangeTests {
  private static func part(_ number: Int) -> Wide.Part {
    let part = Wide.Part()
    part.number = number
    part.amount = number * 10
    part.maybe = number % 2 == 0 ? nil : number
    part.single = 0.25
    part.text = number % 2 == 0 ? nil : "text \(number)"
    part.codes.append(objectsIn: [number, -number])
    part.label = "part \(number)"
    return part
  }

  private func withOwners(number: Int = 5, _ body: (String) throws -> Void) throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      let wide = MigratingStore(directory, version: 1, Wide.objects, embedded: Wide.parts)
      try wide.opened { (store: MigratingStore) throws in
        let owners = (0..<200).map { id in
          let owner = Wide.Owner()
          owner.id = id
          owner.kept = "kept \(id)"
          return owner
        }
        owners[1].part = Self.part(1)
        owners[1].parts.append(objectsIn: [Self.part(2), Self.part(3)])
        owners[1].named["four"] = Self.part(4)
        owners[1].box = Wide.Box()
        let inner = Wide.Box()
        inner.part = Self.part(number)
        owners[1].box?.boxes.append(inner)
        try store.store().write { try $0.add(owners, update: .all) }
      }
      try body(directory)
    }
  }

  private func expectRight(_ part: Narrow.Part?, _ number: Int) {
    #expect(part?.number == Int16(number) && part?.amount == Double(number) * 10)
    #expect(part?.maybe == (number % 2 == 0 ? -1 : Int8(number)))
    #expect(part?.single == 0.25 && part?.label == "part \(number)")
    #expect(part?.text == (number % 2 == 0 ? "none" : "text \(number)"))
    #expect(part.map { Array($0.codes) } == [Int16(number), Int16(-number)])
  }

  @Test("have their values, in every owner and at any depth")
  func converted() throws {
    try withOwners { (directory: String) throws in
      let narrow = MigratingStore(directory, version: 2, Narrow.objects, embedded: Narrow.parts) {
        (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Owner") { old, new in
          guard old?["id"] as? Int == 1 else { return }
          let part = new?["part"] as? MigrationObject
          #expect(part?["number"] as? Int == 1 && part?["amount"] as? Double == 10)
          // An old object has other columns than the new class.
          new?["part"] = old?["part"]
          new?["parts"] = old?["parts"]
        }
      }
      try narrow.opened { (store: MigratingStore) throws in
        let owner = try #require(store.object(ofType: Narrow.Owner.self, forPrimaryKey: 1))
        expectRight(owner.part, 1)
        #expect(owner.parts.count == 2 && owner.kept == "kept 1")
        for (part, number) in zip(owner.parts, [2, 3]) { expectRight(part, number) }
        expectRight(owner.named["four"] ?? nil, 4)
        expectRight(owner.box?.boxes.first?.part, 5)
        #expect(try store.count(Narrow.Owner.self) == 200)
      }
    }
  }

  @Test("that have no room for a value end the migration with its place")
  func doesNotFit() throws {
    try withOwners(number: 70_000) { (directory: String) throws in
      let narrow = MigratingStore(directory, version: 2, Narrow.objects, embedded: Narrow.parts)
      let error = try narrow.failure()
      #expect(error.code == .invalidValue && error.store == "migrated", "\(error)")
      #expect(error.type == "Part" && error.property == "number" && error.key == "1", "\(error)")
      #expect(error.details.contains("in an object of Owner"))
      try MigratingStore(directory, version: 1, Wide.objects, embedded: Wide.parts).opened {
        (store: MigratingStore) throws in
        let owner = try #require(store.object(ofType: Wide.Owner.self, forPrimaryKey: 1))
        #expect(owner.box?.boxes.first?.part?.number == 70_000)
      }
    }
  }

  @Test("keep the values when they become objects at the same time")
  func promoted() throws {
    try withOwners { (directory: String) throws in
      let apart = MigratingStore(
        directory,
        version: 2,
        [Apart.Owner.self, Apart.Part.self],
        embedded: [Apart.Box.self]
      )
      try apart.opened { (store: MigratingStore) throws in
        let owner = try #require(store.object(ofType: Apart.Owner.self, forPrimaryKey: 1))
        #expect(owner.part?.number == 1 && owner.part?.amount == 10)
        #expect(owner.parts.map(\.number) == [2, 3] && owner.named["four"]??.amount == 40)
        #expect(owner.box?.boxes.first?.part.map { Array($0.codes) } == [5, -5])
        #expect(try store.count(Apart.Part.self) == 5)
      }
    }
  }

  @Test("keep the values when their owner, whose type is gone, is moved")
  func moved() throws {
    try withOwners { (directory: String) throws in
      let renamed = MigratingStore(
        directory,
        version: 2,
        [Renamed.Holder.self],
        embedded: [Renamed.Part.self]
      ) {
        (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Owner") { old, _ in
          if let old { migration.move(old, toType: "Holder") }
        }
      }
      try renamed.opened { (store: MigratingStore) throws in
        let holder = try #require(store.object(ofType: Renamed.Holder.self, forPrimaryKey: 1))
        #expect(holder.part?.number == 1 && holder.part?.label == "part 1")
        #expect(holder.parts.map(\.number) == [2, 3])
        #expect(try store.count(Renamed.Holder.self) == 200)
      }
    }
  }
}
