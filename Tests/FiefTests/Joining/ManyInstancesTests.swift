import Fief
import FiefTesting
import Testing

@testable import FiefCore

/// Writes with many objects of which several instances are held.
@Suite struct ManyInstancesTests {
  final class Note: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
    @Persisted var next: Note?
  }

  @Test(
    "a deletion reads the instances again whose links it clears, and no others",
    arguments: StoreKind.allCases
  )
  func deletingOneByOne(_ kind: StoreKind) throws {
    let count = 100
    let fixture = try StoreFixture(TestRepository(objectTypes: [Note.self]), kind)
    try fixture.write { transaction in
      for id in 0..<2 * count {
        let note = Note(value: ["id": id])
        try transaction.add(note)
        // Half of the kept notes link a note that the test deletes.
        if id >= count, id.isMultiple(of: 2) {
          try transaction.object(ofType: Note.self, forPrimaryKey: id - count)?.next = note
        }
      }
    }
    let read = {
      try (0..<count).map { try fixture.store().fetchObject(ofType: Note.self, forPrimaryKey: $0) }
    }
    let (notes, others) = (try read().compactMap { $0 }, try read().compactMap { $0 })
    try #require(notes.count == count && others.count == count)
    try fixture.write { transaction in
      for (note, other) in zip(notes, others) {
        note.text += "a"
        other.text += "b"
      }
      #expect(notes.allSatisfy { $0.text == "ab" } && others.allSatisfy { $0.text == "ab" })
      let lookups = transaction.tally.lookups
      for id in count..<2 * count {
        guard let gone = try transaction.object(ofType: Note.self, forPrimaryKey: id) else {
          Issue.record("\(id) is missing")
          continue
        }
        try transaction.delete(gone)
        #expect(notes[id - count].next == nil && others[id - count].next == nil)
      }
      // 10,000 if each deletion reads all of them.
      #expect(transaction.tally.lookups - lookups <= 4 * count)
      #expect(notes.allSatisfy { $0.text == "ab" })
    }
    #expect(try fixture.store().objects(Note.self).all().map(\.text) == Array(repeating: "ab", count: count))
    fixture.closeChecked()
  }
}
