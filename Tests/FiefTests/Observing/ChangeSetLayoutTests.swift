import Fief
import Foundation
import Testing

@testable import FiefCore

enum LayoutBefore {
  final class LayoutNote: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
    @Persisted var count: Int32 = 0
    @Persisted var part: LayoutPart?
    @Persisted var old = 5
  }

  final class LayoutPart: EmbeddedObject {
    @Persisted var city = ""
  }
}

enum LayoutAfter {
  final class LayoutNote: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
    @Persisted var count = 0
    @Persisted var part: LayoutPart?
    @Persisted var rank = 3
    @Persisted var list: List<Int>
  }

  final class LayoutPart: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var number = 8
  }
}

/// Records of an earlier layout are compared by their values.
struct ChangeSetLayoutTests {
  @Test func rewritingAnOldRecordIsNoChange() throws {
    try MigratingStore.withDirectory { directory in
      try MigratingStore(
        directory,
        version: 1,
        [LayoutBefore.LayoutNote.self],
        embedded: [LayoutBefore.LayoutPart.self]
      )
      .opened { store in
        try store.write { scope in
          for id in 1...3 {
            try scope.create(
              LayoutBefore.LayoutNote.self,
              value: ["id": id, "text": "a", "count": 4, "part": ["city": "Ulm"]]
            )
          }
        }
      }
      let now = MigratingStore(
        directory,
        version: 2,
        [LayoutAfter.LayoutNote.self],
        embedded: [LayoutAfter.LayoutPart.self]
      )
      try now.opened { store in
        var changes = ChangeSet()
        let seen = Lock(ChangeSet())
        let token = try store.store().onCommit { new in seen.withLock { $0.append(new) } }
        defer { token.invalidate() }
        let notes = try store.all(LayoutAfter.LayoutNote.self)
        notes[1].rank = 4
        notes[2].part?.number = 9
        try store.write { try $0.add(notes.map { LayoutAfter.LayoutNote(value: $0) }, update: .all) }
        changes = seen.withLock { $0 }
        let keys = (1...3).map { ObjectKey(rowID: $0) }
        let type = changes[LayoutAfter.LayoutNote.self]
        #expect(type.modified == Set(keys.dropFirst()))
        #expect(type.properties(of: keys[1]) == ["rank"] && type.properties(of: keys[2]) == ["part"])
      }
    }
  }
}
