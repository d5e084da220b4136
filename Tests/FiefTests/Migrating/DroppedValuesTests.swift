import Fief
import FiefEncryption
import Foundation
import Testing

@testable import FiefCore

private enum DroppedBefore {
  final class Thing: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var note: String?
    @Persisted var tags: List<String>
    @Persisted var part: ThingPart?
  }

  final class ThingPart: EmbeddedObject {
    @Persisted var inner = 0
    @Persisted var kept = 0
  }

  final class Place: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var city = ""
  }
}

private enum DroppedAfter {
  final class Thing: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted var subtitle: String?
    @Persisted var size = 0
    @Persisted var part: ThingPart?
  }

  final class ThingPart: EmbeddedObject {
    @Persisted var kept = 0
  }

  final class Location: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var city = ""
    @Persisted var country = ""
  }
}

/// A migration that drops values says so, and how they are kept.
@Suite struct DroppedValuesTests {
  private final class Events: Sendable {
    let all = Lock<[StoreEvent]>([])

    var dropped: [DroppedValues] {
      all.withLock { $0 }.compactMap {
        if case .droppedValues("migrated", let values) = $0 { values } else { nil }
      }
    }
  }

  private func old(_ directory: String, _ encryption: StoreEncryption?) -> MigratingStore {
    var store = MigratingStore(
      directory,
      version: 1,
      [DroppedBefore.Thing.self, DroppedBefore.Place.self],
      embedded: [DroppedBefore.ThingPart.self]
    )
    store.storeOptions.encryption = encryption
    return store
  }

  private func new(
    _ directory: String,
    _ encryption: StoreEncryption?,
    _ events: Events = Events(),
    version: UInt64 = 2,
    block: MigrationBlock? = nil
  ) -> MigratingStore {
    var store = MigratingStore(
      directory,
      version: version,
      [DroppedAfter.Thing.self, DroppedAfter.Location.self],
      embedded: [DroppedAfter.ThingPart.self],
      block: block
    )
    store.storeOptions.encryption = encryption
    store.storeOptions.eventHandler = { event in events.all.withLock { $0.append(event) } }
    return store
  }

  /// Runs a test on disk, in clear and encrypted, with a store of the old classes.
  private func withStores(
    _ fill: (Int) -> DroppedBefore.Thing? = {
      let thing = DroppedBefore.Thing(value: ["id": $0, "name": "name \($0)"] as [String: Any])
      thing.part = DroppedBefore.ThingPart(value: ["inner": 7, "kept": 8])
      return thing
    },
    _ body: (String, StoreEncryption?) throws -> Void
  ) throws {
    for encryption in [nil, StoreEncryption.key(Data(repeating: 1, count: 32))] {
      try MigratingStore.withDirectory { directory in
        try old(directory, encryption).opened { store in
          try store.write { transaction in
            for id in 0..<3 {
              if let thing = fill(id) { try transaction.add(thing) }
              try transaction.add(DroppedBefore.Place(value: ["id": id, "city": "Bonn"] as [String: Any]))
            }
          }
        }
        try body(directory, encryption)
      }
    }
  }

  private static let all: Set<DroppedValues> = [
    DroppedValues(type: "Thing", property: "name", likelyNames: ["title", "subtitle"]),
    DroppedValues(type: "ThingPart", property: "inner", likelyNames: []),
    DroppedValues(type: "Place", property: nil, likelyNames: ["Location"]),
  ]

  @Test func aHigherVersionAloneSaysWhatItDrops() throws {
    try withStores { directory, encryption in
      let events = Events()
      try new(directory, encryption, events).opened { store in
        let count = try store.count(DroppedAfter.Thing.self)
        #expect(count == 3)
      }
      // Properties without values are not among them.
      #expect(Set(events.dropped) == Self.all && events.dropped.count == 3)
      #expect(events.all.withLock { $0 }.allSatisfy { !$0.isFailure })
      let text = events.dropped.first { $0.property == "name" }?.description
      #expect(
        text == "the values of Thing.name were dropped. If the property was renamed, restore a backup from "
          + "before the migration and add to the migration block: "
          + #"migration.renameProperty(onType: "Thing", from: "name", to: "title" or "subtitle")"#
      )
      let place = events.dropped.first { $0.type == "Place" }?.description
      #expect(
        place == "the objects of Place were dropped. If the type was renamed, restore a backup from before "
          + "the migration and add to the migration block: "
          + #"migration.renameType(from: "Place", to: "Location")"#
      )
    }
  }

  @Test func theErrorThatAsksForAVersionNamesThem() throws {
    try withStores { directory, encryption in
      let error = try new(directory, encryption, version: 1).failure()
      #expect(error.code == .migrationRequired)
      for line in [
        "a higher version alone drops the values of Thing.name; if it was renamed, the migration block keeps them: "
          + #"migration.renameProperty(onType: "Thing", from: "name", to: "title" or "subtitle")"#,
        "a higher version alone drops the objects of Place; if it was renamed, the migration block keeps them: "
          + #"migration.renameType(from: "Place", to: "Location")"#,
      ] {
        #expect(error.details.contains(line), "\(error.details)")
      }
    }
  }

  @Test func nothingIsSaidOfWhatTheBlockKeepsReadsOrDiscards() throws {
    try withStores { directory, encryption in
      let events = Events()
      let store = new(directory, encryption, events) { migration, _ in
        migration.renameType(from: "Place", to: "Location")
        migration.renameProperty(onType: "Thing", from: "name", to: "title")
        migration.discard("ThingPart.inner")
      }
      try store.opened { store in
        let things = try store.all(DroppedAfter.Thing.self)
        let places = try store.all(DroppedAfter.Location.self)
        #expect(things.map(\.title) == ["name 0", "name 1", "name 2"])
        #expect(places.map(\.city) == ["Bonn", "Bonn", "Bonn"])
      }
      #expect(events.dropped.isEmpty)
    }
    try withStores { directory, encryption in
      let events = Events()
      let store = new(directory, encryption, events) { migration, _ in
        migration.deleteData(forType: "Place")
        migration.enumerateObjects(ofType: "Thing") { old, new in
          new?["title"] = "\(old?["name"] ?? "")!"
          let part = old?["part"] as? MigrationObject
          new?["size"] = part?["inner"]
        }
      }
      try store.opened { store in
        let things = try store.all(DroppedAfter.Thing.self)
        #expect(things.map(\.title) == ["name 0!", "name 1!", "name 2!"])
        #expect(things.map(\.size) == [7, 7, 7])
      }
      #expect(events.dropped.isEmpty)
    }
  }

  @Test func emptyTypesAndValuesAreNotDropped() throws {
    try withStores({ _ in nil }) { directory, encryption in
      let events = Events()
      let store = new(directory, encryption, events) { migration, _ in
        migration.renameType(from: "Place", to: "Location")
      }
      try store.opened { _ in }
      #expect(events.dropped.isEmpty)
    }
    try withStores({
      let thing = DroppedBefore.Thing(value: ["id": $0])
      if $0 == 2 { thing.tags.append("late") }
      return thing
    }) { directory, encryption in
      let events = Events()
      try new(directory, encryption, events).opened { _ in }
      // A text that is required has always a value; a collection has one in the last object.
      #expect(Set(events.dropped.map(\.property)) == ["name", "tags", nil])
    }
  }

  @Test func whereNoHandlerIsItGoesToStandardError() {
    let values = DroppedValues(type: "Thing", property: "name", likelyNames: ["title"])
    let event = StoreEvent.droppedValues(store: "things", values)
    #expect(event.isWorthTelling)
    let text = EventText(event).lines()
    #expect(text.contains("things: a migration dropped values"))
    #expect(text.contains("property: name") && text.contains(#"from: "name", to: "title""#))
  }
}
