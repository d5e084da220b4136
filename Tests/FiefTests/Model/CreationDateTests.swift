import Fief
import Foundation
import Testing

private final class DatedNote: EmbeddedObject {
  @Persisted var written: Date
}

private final class DatedEntry: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var created: Date
  @Persisted var changed: Date?
  @Persisted var given = Date(timeIntervalSince1970: 7)
  @Persisted var note: DatedNote? = DatedNote()
}

/// A class whose `init()` makes other objects.
private final class DatedParent: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var created: Date
  @Persisted var other: Date
  var entry: DatedEntry?

  required init() {
    super.init()
    entry = DatedEntry()
  }
}

@Suite("Dates that nothing assigns")
struct CreationDateTests {
  /// Whether a date is between the beginning and the end of a closure.
  private func isNow(_ create: () throws -> [Date]) rethrows -> Bool {
    let before = Date()
    let dates = try create()
    let after = Date()
    return dates.allSatisfy { $0 >= before && $0 <= after }
  }

  @Test("are the time at which the object was created", arguments: TypedPlace.allCases)
  func creation(place: TypedPlace) throws {
    let store = try TypedStore(place, [DatedEntry.self], embedded: [DatedNote.self])
    var entry = DatedEntry()
    let isCreatedNow = isNow {
      entry = DatedEntry(value: ["id": 1])
      return [entry.created, entry.note?.written ?? .distantPast]
    }
    #expect(isCreatedNow && entry.changed == nil && entry.given == Date(timeIntervalSince1970: 7))
    let created = entry.created
    #expect(entry.created == created)
    try store.put(entry)
    let isMadeNow = try isNow {
      try store.write { transaction in
        let made = try transaction.create(DatedEntry.self, value: ["id": 2])
        return [made.created, made.note?.written ?? .distantPast]
      }
    }
    #expect(isMadeNow)
    store.reopen()
    let found = try store.get(DatedEntry.self, 1)
    #expect(found.created == created && found.note?.written == entry.note?.written)
  }

  @Test("of objects that an init() creates are the time, also in a read", arguments: TypedPlace.allCases)
  func inAnInitializer(place: TypedPlace) throws {
    let types: [Object.Type] = [DatedParent.self, DatedEntry.self]
    let store = try TypedStore(place, types, embedded: [DatedNote.self])
    let old = Date(timeIntervalSince1970: 1)
    try store.put(DatedParent(value: ["id": 1, "created": old, "other": old]))
    store.reopen()
    let isCreatedNow = try isNow {
      let found = try store.get(DatedParent.self, 1)
      #expect(found.created == old && found.other == old)
      return [found.entry?.created ?? .distantPast, DatedEntry().created]
    }
    #expect(isCreatedNow)
  }

  @Test("are those of objects that code creates in a read, too", arguments: TypedPlace.allCases)
  func inARead(place: TypedPlace) throws {
    let store = try TypedStore(place, [DatedEntry.self], embedded: [DatedNote.self])
    try store.put((0..<10).map { DatedEntry(value: ["id": $0, "created": Date(timeIntervalSince1970: 1)]) })
    try store.store().read { snapshot in
      for entry in snapshot.objects(DatedEntry.self) {
        #expect(entry.created == Date(timeIntervalSince1970: 1))
        let isCreatedNow = isNow { [DatedEntry().created] }
        #expect(isCreatedNow)
      }
    }
  }
}
