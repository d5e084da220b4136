import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import FiefCore

final class FailPart: EmbeddedObject {
  @Persisted var text = ""
}

final class FailMark: Object {
  @Persisted(primaryKey: true) var id = 0
}

/// A photo that cannot be deleted as long as it has a mark.
final class FailPhoto: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var tag: FailMark?

  override class func relationships() -> [Relationship] { [Relationship("tag", deleteRule: .deny)] }
}

final class FailAlbum: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var count = 0
  @Persisted var numbers: List<Int>
  @Persisted var photos: List<FailPhoto>
  @Persisted var parts: List<FailPart>
  @Persisted var values: List<AnyRealmValue>
  @Persisted var photoSet: MutableSet<FailPhoto>
  @Persisted var photoMap: Map<String, FailPhoto?>
  @Persisted var partMap: Map<String, FailPart?>

  /// Adds an element with a number to each collection.
  func add(_ number: Int, photo: FailPhoto) {
    numbers.append(number)
    photos.append(photo)
    parts.append(FailPart(value: ["text": "part \(number)"]))
    values.append(.int(number))
    photoSet.insert(photo)
    photoMap["key \(number)"] = .some(photo)
    partMap["key \(number)"] = .some(FailPart(value: ["text": "part \(number)"]))
  }

  /// The collections in which elements with the numbers from 0 on are not all, or not the only ones.
  func wrong(_ count: Int) -> [String] {
    let numbers = Array(0..<count)
    let keys = Set(numbers.map { "key \($0)" })
    let isRight = [
      "numbers": Array(self.numbers) == numbers,
      "photos": photos.map(\.id) == numbers,
      "parts": parts.map(\.text) == numbers.map { "part \($0)" },
      "values": values.map(\.intValue) == numbers,
      "photoSet": photoSet.map(\.id).sorted() == numbers,
      "photoMap": Set(photoMap.keys) == keys && photoMap.allSatisfy { $0.key == "key \($0.value?.id ?? -1)" },
      "partMap": Set(partMap.keys) == keys
        && partMap.allSatisfy { $0.key.dropFirst(4) == ($0.value?.text ?? "").dropFirst(5) },
    ]
    return isRight.filter { !$0.value }.keys.sorted()
  }
}

/// Import loops that go on after a call has failed.
@Suite("Import loops with failures", .timeLimit(.minutes(20)))
struct ImportFailureTests {
  /// A call that fails after it has changed something, and undoes that.
  private enum Failure: CaseIterable {
    case updateOfAll, updateOfCollections, deniedDeletion, deniedDeletions, deniedBulkDeletion

    func callAsFunction(_ write: WriteTransaction) throws {
      let albums = write.objects(FailAlbum.self).sorted(byKeyPath: "id")
      let photos = write.objects(FailPhoto.self)
      switch self {
      case .updateOfAll:
        // The count of the last album cannot be greater.
        try expect(.invalidValue) { try albums.update { $0.increment(\.count) } }
      case .updateOfCollections:
        try expect(.invalidValue) {
          try albums.update {
            $0.union(\.numbers, [-1])
            $0.remove(\.numbers, [3])
            $0.increment(\.count)
          }
        }
      case .deniedDeletion:
        let kept = try #require(try write.object(ofType: FailPhoto.self, forPrimaryKey: 7))
        try expect(.deletionDenied) { try write.delete(kept) }
      case .deniedDeletions:
        let some = try photos.where { $0.id >= 5 && $0.id < 10 }.all()
        try expect(.deletionDenied) { try write.delete(some) }
      case .deniedBulkDeletion:
        try expect(.deletionDenied) { try photos.where { $0.id >= 5 && $0.id < 10 }.delete() }
      }
    }

    private func expect(_ code: FiefError.Code, _ body: () throws -> Void) throws {
      let error = #expect(throws: FiefError.self) { try body() }
      #expect(error?.code == code, "\(self)")
    }
  }

  private static let types: [Object.Type] = [FailAlbum.self, FailPhoto.self, FailMark.self]

  /// In the short form the kinds of stores share the two ways.
  private static let cases: [(kind: StoreKind, isStored: Bool)] = StoreKind.allCases.enumerated().flatMap {
    (index, kind) in
    (TestEffort.isLong ? [true, false] : [index % 2 == 0]).map { (kind, $0) }
  }

  @Test("add all elements, and no others", arguments: cases)
  func failures(_ kind: StoreKind, isStored: Bool) throws {
    let store = try StoreFixture(TestRepository(objectTypes: Self.types), kind)
    // All collections outgrow the record of their album.
    let first = TestEffort.count(600, more: 1_000)
    var next = 0
    func add(_ write: WriteTransaction, _ album: FailAlbum) throws {
      let photo = FailPhoto(value: ["id": next])
      // It writes the changes before it. Most of the first elements are written together.
      if next >= first || next % TestEffort.count(20, more: 5) == 0 { try write.add(photo) }
      album.add(next, photo: photo)
      next += 1
    }
    try store.write { write in
      _ = try write.create(FailAlbum.self, value: ["id": 2, "count": Int.max])
      let album = FailAlbum(value: ["id": 1])
      if isStored {
        for number in 0..<first { album.add(number, photo: FailPhoto(value: ["id": number])) }
        next = first
      }
      try write.add(album)
    }
    try store.write { write in
      let album = try #require(try write.object(ofType: FailAlbum.self, forPrimaryKey: 1))
      while next < first { try add(write, album) }
      let kept = try #require(try write.object(ofType: FailPhoto.self, forPrimaryKey: 7))
      kept.tag = try write.create(FailMark.self, value: ["id": 1])
      for failure in Failure.allCases {
        for _ in 0..<3 { try add(write, album) }
        try failure(write)
        #expect(album.wrong(next) == [], "\(failure)")
        for _ in 0..<3 { try add(write, album) }
        // Twice without an addition in between.
        try failure(write)
        try failure(write)
        try add(write, album)
        #expect(album.wrong(next) == [], "\(failure)")
      }
      #expect(album.count == 0)
    }
    let album = try #require(store.object(ofType: FailAlbum.self, forPrimaryKey: 1))
    #expect(album.wrong(next) == [])
    #expect(album.count == 0)
    store.closeChecked()
  }

  /// Counts the elements that the first read after a flush goes through: it makes the owner theirs.
  @Test("the first read after a flush leaves the stored elements alone", arguments: StoreKind.allCases)
  func adoption(_ kind: StoreKind) throws {
    let store = try StoreFixture(TestRepository(objectTypes: Self.types), kind)
    try store.write { write in
      let (album, other) = (FailAlbum(value: ["id": 1]), FailAlbum(value: ["id": 2]))
      try write.add(album)
      var parts: [FailPart] = []
      func add() {
        let new = (0..<2).map { FailPart(value: ["text": "part \(parts.count + $0)"]) }
        album.parts.append(new[0])
        album.partMap["key \(parts.count)"] = .some(new[1])
        parts += new
      }
      for _ in 0..<1_000 { add() }
      for number in 0..<5 {
        try write.add(FailPhoto(value: ["id": number]))
        let stored = parts.count
        for part in parts { part._owner = other }
        add()
        #expect(parts.count { $0._owner === album } == 2)
        for part in parts { part._owner = album }
        #expect(parts.count == stored + 2)
      }
    }
    let album = try #require(store.object(ofType: FailAlbum.self, forPrimaryKey: 1))
    #expect(album.parts.count == 1_005 && album.partMap.count == 1_005)
    store.closeChecked()
  }
}
