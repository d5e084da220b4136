import FiefRealm
import FiefTesting
import Foundation
import Testing

private enum PartsBefore {
  final class Part: EmbeddedObject {
    @Persisted var number = 0
    @Persisted var label = ""
    @Persisted var inner: Part?
  }
  final class Box: EmbeddedObject {
    @Persisted var part: Part?
    @Persisted var parts: List<Part>
  }
  final class Holder: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var part: Part?
    @Persisted var parts: List<Part>
    @Persisted var named: Map<String, Part?>
    @Persisted var boxes: List<Box>
  }
  final class Other: Object {
    @Persisted var gone: Part?
  }
}

private enum PartsAfter {
  final class Part: EmbeddedObject {
    @Persisted var number = 0.0
    @Persisted var title = ""
    @Persisted var inner: Part?
  }
  final class Box: EmbeddedObject {
    @Persisted var part: Part?
    @Persisted var parts: List<Part>
  }
  final class Holder: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var part: Part?
    @Persisted var parts: List<Part>
    @Persisted var named: Map<String, Part?>
    @Persisted var boxes: List<Box>
  }
  final class Other: Object {
    @Persisted var name = ""
  }
}

/// Migrations of embedded objects by their own type.
struct EmbeddedMigrationTests {
  private static func part(_ number: Int, inner: PartsBefore.Part? = nil) -> PartsBefore.Part {
    let part = PartsBefore.Part()
    part.number = number
    part.label = "p\(number)"
    part.inner = inner
    return part
  }

  private func migrating(_ migrate: @escaping MigrationBlock, _ check: (Store) throws -> Void) throws
    -> FiefError?
  {
    try withFreshStores(.onDisk) {
      let parts = [PartsBefore.Part.self, PartsBefore.Box.self] as [EmbeddedObject.Type]
      let before = TestRepository(
        "parts",
        version: 1,
        objectTypes: [PartsBefore.Holder.self, PartsBefore.Other.self],
        embedded: parts
      )
      try before.write { (transaction: WriteTransaction) in
        let holder = PartsBefore.Holder()
        holder.part = Self.part(1, inner: Self.part(2))
        holder.parts.append(objectsIn: [Self.part(3), Self.part(4, inner: Self.part(5))])
        holder.named["six"] = Self.part(6)
        holder.named["none"] = .some(nil)
        let box = PartsBefore.Box()
        box.part = Self.part(7)
        box.parts.append(Self.part(8))
        holder.boxes.append(box)
        try transaction.add(holder)
        let other = PartsBefore.Other()
        other.gone = Self.part(9)
        try transaction.add(other)
      }
      before.close()
      let after = TestRepository(
        "parts",
        version: 2,
        objectTypes: [PartsAfter.Holder.self, PartsAfter.Other.self],
        embedded: [PartsAfter.Part.self, PartsAfter.Box.self],
        migration: migrate
      )
      defer { after.close() }
      let store = after.store()
      if let error = store.openingError { return error }
      try check(store)
      #expect(try after.check().problems == [])
      return nil
    }
  }

  @Test func embeddedObjectsAreGoneThrough() throws {
    let error = try migrating { migration, _ in
      var seen: [Int] = []
      migration.enumerateObjects(ofType: "Part") { old, new in
        guard let old, let number = old["number"] as? Int else {
          Issue.record("There is no old object.")
          return
        }
        seen.append(number)
        #expect(old.isOld && (new == nil) == (number == 9))
        guard let new else { return }
        #expect(new["number"] as? Double == Double(number) && new["title"] as? String == "")
        new["title"] = "\(old["label"] as? String ?? "-")!"
        new["number"] = Double(number) + 0.5
      }
      #expect(seen.sorted() == Array(1...9))
      migration.discard("Other.gone")
      migration.discard("Part.label")
    } _: { store in
      let holder = try #require(store.objects(PartsAfter.Holder.self).first)
      let box = try #require(holder.boxes.first)
      let parts: [PartsAfter.Part?] = [
        holder.part, holder.part?.inner, holder.parts[0], holder.parts[1], holder.parts[1].inner,
        holder.named["six"] ?? nil, box.part, box.parts[0],
      ]
      #expect(parts.map { $0?.title } == (1...8).map { "p\($0)!" })
      #expect(parts.map { $0?.number } == (1...8).map { Double($0) + 0.5 })
      #expect(holder.named["none"].map { $0 == nil } == true && holder.parts.count == 2)
    }
    #expect(error == nil)
  }

  @Test func propertiesOfEmbeddedTypesAreRenamed() throws {
    let error = try migrating { migration, _ in
      migration.renameProperty(onType: "Part", from: "label", to: "title")
      migration.enumerateObjects(ofType: "Part") { old, new in
        if let new { #expect(old?["label"] as? String == new["title"] as? String) }
      }
      migration.enumerateObjects(ofType: "Box") { old, new in
        #expect(old != nil)
        (new?["part"] as? MigrationObject)?["number"] = 70
      }
      migration.discard("Other.gone")
    } _: { store in
      let holder = try #require(store.objects(PartsAfter.Holder.self).first)
      #expect(holder.part?.inner?.title == "p2" && holder.parts.map(\.title) == ["p3", "p4"])
      #expect(holder.boxes.first?.part?.number == 70 && holder.boxes.first?.part?.title == "p7")
    }
    #expect(error == nil)
  }

  @Test func whatTheBlockThrowsEndsTheMigration() throws {
    struct Stop: Error {}
    let error = try migrating { migration, _ in
      try migration.enumerateObjects(ofType: "Part") { _, _ in throw Stop() }
    } _: { _ in
      Issue.record("The migration has not failed.")
    }
    #expect(error?.code == .migrationFailed)
    let wrong = try migrating { migration, _ in
      migration.enumerateObjects(ofType: "Part") { _, new in new?["nothing"] = 1 }
    } _: { _ in
      Issue.record("The migration has not failed.")
    }
    #expect(wrong?.code == .unknownProperty && wrong?.property == "nothing")
  }
}
