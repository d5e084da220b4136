import Fief
import FiefTesting
import TestEffort
import Testing

/// Elements that are added to a collection between calls that flush the changes of a write.
@Suite("Import loops", .timeLimit(.minutes(20)))
struct ImportLoopTests {
  private static let kinds = SnapKind.cases.filter { $0.kind.name != "array" }
  private struct Failure: Error {}

  /// A call that writes the changes that wait.
  private enum Flush: Int, CaseIterable {
    case add, query, failedLookUp

    func callAsFunction(_ write: WriteTransaction, _ number: Int) throws {
      switch self {
      case .add: try write.add(SnapPhoto(value: ["id": 100_000 + number]))
      case .query: _ = write.objects(SnapPhoto.self).count
      case .failedLookUp:
        let found = try write.object(ofType: SnapPhoto.self, forPrimaryKey: -1 - number)
        #expect(found == nil)
      }
    }
  }

  private static func flush(of kind: SnapKind) -> Flush {
    let index = kinds.firstIndex { $0.kind.name == kind.name } ?? 0
    return Flush.allCases[index % Flush.allCases.count]
  }

  /// Returns the stored album with an id, or adds a new album.
  private func album(_ write: WriteTransaction, _ id: Int, isStored: Bool) throws -> SnapAlbum {
    if isStored { return try #require(try write.object(ofType: SnapAlbum.self, forPrimaryKey: id)) }
    let album = SnapAlbum(value: ["id": id, "title": "first"])
    try write.add(album)
    return album
  }

  @Test("an element costs its own bytes, however long the collection is", arguments: kinds)
  func cost(place: TypedPlace, kind: SnapKind) throws {
    let most = TestEffort.count(5_000, more: 6_000) / kind.unit
    try SnapStore.with(place) { store in
      var id = 0
      for isStored in [false, true] {
        // A kind has one flush for new objects, and the kinds have all of them. For stored objects the long form
        // has the flushes that the short form does not have.
        let ofStored: [Flush] = TestEffort.isLong ? [.query, .failedLookUp] : [.add]
        let flushes = isStored ? ofStored : [Self.flush(of: kind)]
        for flush in flushes {
          /// The bytes that a write counts that adds some elements one by one.
          func bytes(oneByOne: Int) throws -> UInt64 {
            id += 1
            if isStored { try store.saveAndWait(entity: kind.album(id, count: 0)) }
            let before = store.store().usage().types["SnapAlbum"]?.bytesWritten ?? 0
            try store.write { write in
              let album = try album(write, id, isStored: isStored)
              kind.add(album, 0..<most)
              try flush(write, id * 1_000)
              for number in 0..<oneByOne {
                kind.add(album, (most + number)..<(most + number + 1))
                try flush(write, id * 1_000 + number + 1)
              }
            }
            #expect(try store.stored(id, kind) == kind.expected(most + oneByOne))
            return (store.store().usage().types["SnapAlbum"]?.bytesWritten ?? 0) - before
          }
          let (some, none) = (try bytes(oneByOne: 20), try bytes(oneByOne: 0))
          // A whole collection has 8,000 bytes.
          #expect(some < none + 20 * 1_500)
        }
      }
      #expect(store.errors().isEmpty)
    }
  }

  @Test("collections that grow beyond the limit one by one are whole", arguments: kinds)
  func growing(place: TypedPlace, kind: SnapKind) throws {
    try SnapStore.with(place) { store in
      for (id, count) in kind.counts.enumerated() {
        // The short form has new objects of one size and stored objects of another one.
        for isStored in TestEffort.isLong && id < 2 ? [false, true] : [id % 2 == 1] {
          let id = isStored ? id : 100 + id
          if isStored { try store.saveAndWait(entity: kind.album(id, count: 5)) }
          let first = isStored ? 5 : 0
          // In the short form, far above the limit, fewer elements are added one by one.
          let some = count * kind.unit > 5_000 ? TestEffort.count(6, more: 8) : 40
          let start = max(first, count - some)
          try store.write { write in
            let album = try album(write, id, isStored: isStored)
            kind.add(album, first..<start)
            for number in start..<(count + some) {
              kind.add(album, number..<(number + 1))
              try Flush.allCases[number % 3](write, id * 100_000 + number)
            }
            #expect(kind.contents(album) == kind.expected(count + some))
          }
          #expect(try store.stored(id, kind) == kind.expected(count + some), "size \(count)")
        }
      }
      #expect(store.errors().isEmpty)
    }
  }

  @Test("after a rollback an object has the elements that a save would write", arguments: kinds)
  func rollback(place: TypedPlace, kind: SnapKind) throws {
    let count = 5_200 / kind.unit
    try SnapStore.with(place) { store in
      try store.saveAndWait(entity: kind.album(1, count: 5))
      let held = try store.album(1)
      let added = SnapAlbum(value: ["id": 2, "title": "first"])
      #expect(throws: Failure.self) {
        try store.write { write in
          try write.add(added)
          kind.add(added, 0..<count)
          kind.add(held, 5..<count)
          for number in count..<(count + 5) {
            try write.add(SnapPhoto(value: ["id": 100_000 + number]))
            kind.add(added, number..<(number + 1))
            kind.add(held, number..<(number + 1))
          }
          throw Failure()
        }
      }
      #expect(kind.contents(held) == kind.expected(5))
      #expect(kind.contents(added) == kind.expected(count + 5))
      try store.write { write in
        // The other album has some of the photos.
        try write.add(added, update: .all)
        kind.add(added, (count + 5)..<(count + 6))
        try write.add(SnapPhoto(value: ["id": 100_000]))
        kind.add(added, (count + 6)..<(count + 7))
      }
      #expect(try store.stored(1, kind) == kind.expected(5))
      #expect(try store.stored(2, kind) == kind.expected(count + 7))
      #expect(store.errors().isEmpty)
    }
  }

  @Test("other changes between additions are written too", arguments: kinds)
  func otherChanges(place: TypedPlace, kind: SnapKind) throws {
    for seed in 0..<TestEffort.count(1, more: 2) {
      var random = MigrationRandom(seed: UInt64(seed))
      try SnapStore.with(place) { store in
        for id in 0..<3 {
          if id == 2 { try store.saveAndWait(entity: kind.album(id, count: 8_000 / kind.unit)) }
          var expected: [String] = []
          try store.write { write in
            let album = try album(write, id, isStored: id == 2)
            var next = kind.contents(album).count
            if next == 0 {
              next = 8_000 / kind.unit
              kind.add(album, 0..<next)
            }
            for step in 0..<TestEffort.count(30, more: 40) {
              switch random.next() % 8 {
              case 0: kind.exchange(album)
              case 1: album.title = "step \(step)"
              case 2:
                let key = 1_000 + Int(random.next() % UInt64(next))
                if let photo = try write.object(ofType: SnapPhoto.self, forPrimaryKey: key) {
                  try write.delete(photo)
                }
              case 3: _ = write.objects(SnapPhoto.self).count
              case 4: try write.add(SnapPhoto(value: ["id": 100_000 * (id + 1) + step]))
              default:
                kind.add(album, next..<(next + 1))
                next += 1
              }
            }
            expected = kind.contents(album)
          }
          #expect(try store.stored(id, kind) == expected, "seed \(seed)")
        }
        #expect(store.errors().isEmpty)
      }
    }
  }

  @Test("changes of stored embedded elements are written", arguments: TypedPlace.allCases)
  func changedPart(place: TypedPlace) throws {
    try SnapStore.with(place) { store in
      try store.write { write in
        let album = SnapAlbum(value: ["id": 1])
        try write.add(album)
        for number in 0..<1_000 { album.parts.append(SnapPart(value: ["text": "part \(number)"])) }
        try write.add(SnapPhoto(value: ["id": 1]))
        album.parts[7].text = "changed"
        album.parts.append(SnapPart(value: ["text": "last"]))
        try write.add(SnapPhoto(value: ["id": 2]))
        album.parts.append(SnapPart(value: ["text": "very last"]))
      }
      let parts = try store.album(1).parts
      #expect(parts.count == 1_002 && parts[7].text == "changed" && parts[1_001].text == "very last")
      #expect {
        try store.write { write in
          let album = try #require(try write.object(ofType: SnapAlbum.self, forPrimaryKey: 1))
          let part = SnapPart(value: ["text": "twice"])
          album.parts.append(part)
          try write.add(SnapPhoto(value: ["id": 3]))
          album.parts.append(part)
        }
      } throws: { ($0 as? FiefError)?.code == .embeddedObjectHasOwner }
      #expect(try store.album(1).parts.count == 1_002)
    }
  }

  final class CoverAlbum: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var cover: SnapPart?
    @Persisted var parts: List<SnapPart>
    @Persisted var others: List<SnapPart>
    @Persisted var numbers: List<Int>
  }

  /// A write that has stored the parts of an album, and then adds one of them to a second place.
  @Test("an embedded object in a second place is an error", arguments: StoreKind.allCases, [true, false])
  func secondPlace(_ kind: StoreKind, isCollection: Bool) throws {
    let store = try StoreFixture(TestRepository(objectTypes: [CoverAlbum.self, SnapPhoto.self]), kind)
    #expect {
      try store.write { write in
        let album = CoverAlbum(value: ["id": 1])
        try write.add(album)
        for number in 0..<1_000 { album.parts.append(SnapPart(value: ["text": "part \(number)"])) }
        try write.add(SnapPhoto(value: ["id": 1]))
        album.parts.append(SnapPart(value: ["text": "last"]))
        try write.add(SnapPhoto(value: ["id": 2]))
        if isCollection { album.others.append(album.parts[7]) } else { album.cover = album.parts[7] }
        try write.add(SnapPhoto(value: ["id": 3]))
        album.parts[7].text = "x"
      }
    } throws: { ($0 as? FiefError)?.code == .embeddedObjectHasOwner }
    #expect(store.queryAll(returningClass: CoverAlbum.self)?.isEmpty == true)
    store.closeChecked()
  }

  @Test(
    "an object with a collection in its record can be saved if it is unchanged",
    arguments: StoreKind.allCases
  )
  func conditionalSave(_ kind: StoreKind) throws {
    let store = try StoreFixture(TestRepository(objectTypes: [CoverAlbum.self, SnapPhoto.self]), kind)
    let album = CoverAlbum(value: ["id": 1])
    try store.write { write in
      try write.add(album)
      // Between half of the bytes that stay in a record and all of them.
      for number in 0..<300 { album.numbers.append(1 << 50 + number) }
      try write.add(SnapPhoto(value: ["id": 1]))
      album.numbers.append(1)
    }
    album.numbers.append(2)
    try store.saveAndWait(entity: album, ifUnchanged: true)
    let stored = try store.store().fetchObject(ofType: CoverAlbum.self, forPrimaryKey: 1)
    #expect(stored?.numbers.count == 302 && stored?.numbers.last == 2)
    store.closeChecked()
  }

  @Test("values that link a deleted object are stored without it", arguments: TypedPlace.allCases)
  func deletedInValue(place: TypedPlace) throws {
    try SnapStore.with(place) { store in
      try store.write { write in
        let album = SnapAlbum(value: ["id": 1])
        try write.add(album)
        let photo = SnapPhoto(value: ["id": 1])
        album.values.append(.object(photo))
        for number in 0..<1_000 { album.values.append(.int(number)) }
        try write.add(SnapPhoto(value: ["id": 2]))
        album.values.append(.int(-1))
        try write.delete(photo)
        album.values.append(.int(-2))
        try write.add(SnapPhoto(value: ["id": 1]))
        album.values.append(.int(-3))
      }
      let values = try store.album(1).values
      #expect(values.count == 1_004 && values[0] == .none && values[1_003] == .int(-3))
    }
  }
}
