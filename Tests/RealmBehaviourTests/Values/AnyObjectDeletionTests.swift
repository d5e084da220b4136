import Fief
import FiefRealm
import FiefTesting
import Foundation
import TestEffort
import Testing

/// Scalars and a value: no link and no collection.
private final class AnyNote: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first = ""
  @Persisted var second = ""
  @Persisted var third = ""
  @Persisted var value: AnyRealmValue = .none
}

/// Smaller than a note, and encoded before it.
private final class AnyTagged: Object {
  @Persisted var tags: List<String>
}

/// Objects in values that a write deletes.
@Suite("Deleted objects in values", .timeLimit(.minutes(20)))
struct AnyObjectDeletionTests {
  private static let types: [Object.Type] = [
    AnyHolder.self, AnyDog.self, AnyNode.self, AnyNote.self, AnyTagged.self,
  ]

  @Test(
    "are refused by a class without links and collections that is assigned one",
    arguments: StoreKind.allCases
  )
  func assignedToAClassOfScalars(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      try store.write { store.add(AnyDog("Rex")) }
      let error = #expect(throws: FiefError.self) {
        try store.write {
          let dog = try #require(store.objects(AnyDog.self).first)
          store.delete(dog)
          let note = AnyNote()
          note.value = .object(dog)
          store.add(note)
        }
      }
      #expect(error?.code == .objectNotFound && error?.type == "AnyNote" && error?.property == "value")
      #expect(store.objects(AnyDog.self).count == 1 && store.objects(AnyNote.self).isEmpty)
    }
  }

  @Test("do not come back where an object of another class is written before", arguments: StoreKind.allCases)
  func notAssigned(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      try store.write {
        let note = AnyNote()
        note.value = .object(AnyDog("Rex"))
        store.add(note)
        store.add(AnyTagged())
      }
      for _ in 0..<8 {
        try store.write {
          let note = try #require(store.objects(AnyNote.self).first)
          let tagged = try #require(store.objects(AnyTagged.self).first)
          if let dog = note.value.object(AnyDog.self) { store.delete(dog) }
          tagged.tags.append("x")
          note.first += "changed"
        }
        #expect(store.objects(AnyDog.self).isEmpty)
        #expect(store.objects(AnyNote.self).first?.value == AnyRealmValue.none)
      }
    }
  }

  @Test("can be read in a deleted owner, which is added again", arguments: StoreKind.allCases)
  func readInADeletedOwner(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      try store.write {
        let holder = AnyHolder()
        holder.value = .object(AnyDog("Rex"))
        store.add(holder)
      }
      var holder: AnyHolder?
      try store.write {
        holder = store.objects(AnyHolder.self).first
        if let holder { store.delete(holder) }
      }
      let deleted = try #require(holder)
      #expect(deleted.value != AnyRealmValue.none)
      try store.write { store.add(deleted) }
      #expect(store.objects(AnyHolder.self).first?.value.object(AnyDog.self)?.name == "Rex")
    }
  }

  @Test("are refused by collections of every size", arguments: StoreKind.allCases, [0, 2_000])
  func appended(_ kind: StoreKind, count: Int) throws {
    try withValueStore(kind, Self.types) { store in
      try store.write {
        let holder = AnyHolder()
        holder.list.append(objectsIn: (0..<count).map { .string("a longer text \($0)") })
        store.add(holder)
        store.add(AnyDog("Rex"))
      }
      let append = { (isDeletedBefore: Bool) in
        try store.write {
          let dog = try #require(store.objects(AnyDog.self).first)
          if isDeletedBefore { store.delete(dog) }
          try #require(store.objects(AnyHolder.self).first).list.append(.object(dog))
          if !isDeletedBefore { store.delete(dog) }
        }
      }
      var error: FiefError?
      let refuse = { error = #expect(throws: FiefError.self) { try append(true) } }
      // A list in a tree of its own reports the failure where it happens.
      if count > 0 { withExpectedEvents { refuse() } } else { refuse() }
      #expect(error?.code == .objectNotFound && error?.type == "AnyHolder" && error?.property == "list")
      #expect(store.objects(AnyDog.self).count == 1)
      // An object that is deleted after it was inserted becomes `.none`.
      try append(false)
      #expect(store.objects(AnyDog.self).isEmpty)
      #expect(store.objects(AnyHolder.self).first?.list.last == AnyRealmValue.none)
      #expect(store.objects(AnyHolder.self).first?.list.count == count + 1)
    }
  }

  @Test("stay deleted where a write that adds them again fails", arguments: StoreKind.allCases)
  func addedInVain(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      try store.write {
        let holder = AnyHolder()
        holder.value = .object(AnyDog("Rex"))
        store.add(holder)
      }
      var found: (holder: AnyHolder, dog: AnyDog)?
      try store.write {
        let holder = try #require(store.objects(AnyHolder.self).first)
        let dog = try #require(holder.value.object(AnyDog.self))
        store.delete(dog)
        found = (holder, dog)
      }
      let (holder, dog) = try #require(found)
      #expect(throws: CocoaError.self) {
        try store.write {
          store.add(dog)
          throw CocoaError(.userCancelled)
        }
      }
      #expect(holder.value == AnyRealmValue.none)
      try store.write { store.add(holder, update: .all) }
      #expect(store.objects(AnyDog.self).isEmpty)
    }
  }

  @Test("are not shown to reads by name", arguments: StoreKind.allCases)
  func readByName(_ kind: StoreKind) throws {
    try withValueStore(kind, Self.types) { store in
      try store.write {
        let holder = AnyHolder()
        holder.value = .object(AnyDog("Rex"))
        store.add(holder)
      }
      try store.write {
        let holder = try #require(store.objects(AnyHolder.self).first)
        store.delete(try #require(holder.value.object(AnyDog.self)))
        #expect(holder.value == AnyRealmValue.none)
        #expect(holder["value"] == nil)
      }
    }
  }

  @Test("held twice by each object of a chain are released one after another")
  func doubleChain() {
    var node = AnyNode()
    for _ in 0..<TestEffort.count(30_000, more: 100_000) {
      let next = AnyNode()
      next.next = .list([.object(node), .object(node)])
      node = next
    }
  }
}
