import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore
@testable import FiefInspection

/// Failures that looked like an empty answer.
@Suite("Failures behind empty answers", .timeLimit(.minutes(20)))
struct SwallowedFailureTests {
  private func code(_ body: () throws -> Void) -> FiefError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? FiefError)?.code }
  }

  @Test("a sum or a mean of a collection that cannot be read is an error", arguments: TypedPlace.inClear)
  func folds(place: TypedPlace) throws {
    var options = StoreOptions()
    options.maximumReaders = 2
    try UnreadStore.with(place, options: options) { store in
      try store.fill()
      let shelf = try #require(try store.shelf())
      try store.withoutReaders {
        #expect(code { _ = try shelf.numbers.fetchSum() } == .tooManyReaders)
        #expect(code { _ = try shelf.numbers.fetchAverage() } == .tooManyReaders)
        #expect(code { _ = try shelf.values.fetchSum() } == .tooManyReaders)
        #expect(code { _ = try shelf.values.fetchAverage() } == .tooManyReaders)
        #expect(shelf.numbers.average() == nil && shelf.values.sum() == 0)
      }
      let sum = UnreadStore.count * (UnreadStore.count - 1) / 2
      let mean = Double(sum) / Double(UnreadStore.count)
      #expect(try shelf.numbers.fetchSum() == sum && shelf.values.fetchSum() == sum)
      #expect(try shelf.numbers.fetchAverage() == mean && shelf.values.fetchAverage() == mean)
      #expect(shelf.numbers.average() == mean)
    }
  }

  @Test("derived values that cannot be read after a save are told", arguments: TypedPlace.inClear)
  func derived(place: TypedPlace) throws {
    try SwallowedStore.with(place) { store in
      try store.fill()
      let post = try #require(store.object(ofType: SwallowedPost.self, forPrimaryKey: 1))
      post.name = "Other"
      try store.withoutReaders { try store.saveAndWait(entity: post, update: true) }
      #expect(store.takeFailures() == [.tooManyReaders])
      #expect(post.lowercased == "one")
      #expect(store.object(ofType: SwallowedPost.self, forPrimaryKey: 1)?.lowercased == "other")
      expectWhole(store.store())
    }
  }

  @Test("an object that a view follows and cannot read is told", arguments: TypedPlace.inClear)
  @MainActor func live(place: TypedPlace) throws {
    try SwallowedStore.with(place) { store in
      try store.fill()
      let post = try #require(store.object(ofType: SwallowedPost.self, forPrimaryKey: 1))
      try store.withoutReaders {
        let live = LiveObject(post)
        #expect(store.takeFailures().contains(.tooManyReaders))
        live.invalidate()
      }
    }
  }

  /// The whole record is the checksum, the layout, the row and the ends of what varies.
  @Test("any damage of a record with a unique value is found by the checker", arguments: TypedPlace.inClear)
  func checker(place: TypedPlace) throws {
    try SwallowedStore.with(place) { store in
      try store.fill()
      var whole: [UInt8] = []
      try store.changeRecord(of: "SwallowedPost") { whole = $0 }
      #expect(try store.check().problems == [])
      for (position, mask) in whole.indices.flatMap({ index in [1, 0x80, 0xFF].map { (index, $0) } }) {
        try store.changeRecord(of: "SwallowedPost") { $0[position] ^= UInt8(mask) }
        var problems: [String] = []
        #expect(throws: Never.self, "byte \(position) ^ \(mask)") { problems = try store.check().problems }
        #expect(!problems.isEmpty, "byte \(position) ^ \(mask)")
        try store.changeRecord(of: "SwallowedPost") { $0 = whole }
      }
      expectWhole(store.store())
    }
  }

  @Test("a query through a link to a damaged record is an error", arguments: TypedPlace.inClear)
  func followed(place: TypedPlace) throws {
    try SwallowedStore.with(place) { store in
      try store.fill()
      // A layout that there is none of.
      try store.changeRecord(of: "SwallowedNote") { $0[4] = 0x7E }
      let posts = store.store().objects(SwallowedPost.self)
      #expect(code { _ = try posts.where { $0.note.text == "noted" }.fetchCount() } == .damagedRecord)
      #expect(code { _ = try posts.where { $0.note.text != "noted" }.fetchCount() } == .damagedRecord)
      #expect(store.takeFailures() == [])
      #expect(posts.where { $0.note.text == "noted" }.map(\.id) == [])
      #expect(store.takeFailures().contains(.damagedRecord))
      #expect(try posts.where { $0.answerTo.name == "ONE" }.fetchCount() == 1)
    }
  }

  @Test("a key that cannot be read is not exported as null", arguments: TypedPlace.inClear)
  func exportedKeys(place: TypedPlace) throws {
    try SwallowedStore.with(place) { store in
      try store.fill()
      let core = try store.store().core()
      let table = try #require(core.tables["SwallowedNote"])
      let records = try #require(table.records)
      // No integer begins so.
      let key: [UInt8] = [0xFE, 0x01]
      var record: [UInt8] = []
      try core.read { transaction in
        let cursor = try transaction.cursor(records)
        try #require(try cursor.first())
        record = [UInt8](cursor.value)
      }
      let checksum = key.withUnsafeBytes { key in
        record.withUnsafeBytes { RecordChecksum.ofStored($0, key: key, type: table.entry.id) }
      }
      withUnsafeBytes(of: checksum.littleEndian) { record.replaceSubrange(0..<4, with: $0) }
      let object = try DynamicObject(table, core.tables, key: ObjectKey(bytes: key), record: record)
      #expect(throws: (any Error).self) { try object.json() }
      #expect(code { _ = try object.cell(of: "$key") } == .damagedRecord)
      let schema = try DynamicSchema(store: "swallowed", environment: core.environment)
      try core.read { transaction in
        let snapshot = DynamicSnapshot(schema: schema, transaction: transaction)
        let text = code { _ = try snapshot.text(of: ObjectKey(bytes: key), ofType: "SwallowedNote") }
        #expect(text == .damagedRecord)
      }
    }
  }

  @Test("a value that cannot be encoded is not asked for as an empty one", arguments: TypedPlace.inClear)
  func encoded(place: TypedPlace) throws {
    try SwallowedStore.with(place) { store in
      try store.fill()
      let posts = store.store().objects(SwallowedPost.self)
      #expect(try posts.where { $0.settings == SwallowedSettings() }.fetchCount() == 2)
      let broken = SwallowedSettings(scale: .nan)
      #expect(code { _ = try posts.where { $0.settings == broken }.fetchCount() } == .invalidValue)
      #expect(code { _ = try posts.where { $0.settings != broken }.fetchCount() } == .invalidValue)
    }
  }
}
