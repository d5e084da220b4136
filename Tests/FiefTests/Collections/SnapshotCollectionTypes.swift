import Fief
import Foundation
import Synchronization
import TestEffort
import Testing

final class SnapPhoto: Object {
  @Persisted(primaryKey: true) var id = 0
}

final class SnapPart: EmbeddedObject {
  @Persisted var text = ""
}

/// An object with a collection of each kind; a test uses one of them.
final class SnapAlbum: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var numbers: List<Int>
  @Persisted var texts: List<String>
  @Persisted var blobs: List<Data>
  @Persisted var dates: List<Date>
  @Persisted var doubles: List<Double?>
  @Persisted var photos: List<SnapPhoto>
  @Persisted var parts: List<SnapPart>
  @Persisted var values: List<AnyRealmValue>
  @Persisted var numberSet: MutableSet<Int>
  @Persisted var textSet: MutableSet<String>
  @Persisted var uuidSet: MutableSet<UUID>
  @Persisted var photoSet: MutableSet<SnapPhoto>
  @Persisted var numberMap: Map<String, Int>
  @Persisted var textMap: Map<String, String>
  @Persisted var photoMap: Map<String, SnapPhoto?>
  @Persisted var partMap: Map<String, SnapPart?>
  @Persisted var array: [Int] = []
}

/// An object with values of any type that cannot be deleted as long as it has a photo.
final class SnapShelf: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var values: List<AnyRealmValue>
  @Persisted var kept: SnapPhoto?

  override class func relationships() -> [Relationship] { [Relationship("kept", deleteRule: .deny)] }
}

/// A kind of collection, with what a test does with it.
struct SnapKind: Sendable, CustomTestStringConvertible {
  /// The payloads of the tests, in bytes: below the limit of 4,000 bytes, and far above it.
  private static let farSizes = [3_900, TestEffort.count(5_600, more: 8_000)]
  /// Payloads around the limit.
  private static let nearSizes = [3_980, 4_000, 4_020, 4_100]

  /// The name of the property.
  let name: String
  /// About the number of bytes of an element.
  let unit: Int
  /// Adds elements with some numbers.
  let add: @Sendable (SnapAlbum, Range<Int>) -> Void
  /// Puts another element in the place of one; the count stays.
  let exchange: @Sendable (SnapAlbum) -> Void
  /// The elements as texts; those of sets and maps in order.
  let contents: @Sendable (SnapAlbum) -> [String]

  var testDescription: String { name }

  /// The payloads of a kind: the short form has each size around the limit with one kind.
  var sizes: [Int] {
    let near = Self.nearSizes.enumerated().filter { TestEffort.isLong || Self.all[$0.offset].name == name }
    return Self.farSizes + near.map(\.element)
  }

  /// The numbers of elements of each size.
  var counts: [Int] { sizes.map { $0 / unit } }

  /// A new album with some elements.
  func album(_ id: Int, count: Int) -> SnapAlbum {
    let album = SnapAlbum(value: ["id": id, "title": "first"])
    add(album, 0..<count)
    return album
  }

  /// The contents of a new album.
  func expected(_ count: Int) -> [String] { contents(album(0, count: count)) }

  static let all: [SnapKind] = lists + sets + maps

  /// The short form has each kind in one place, the long form in two.
  static let cases: [(place: TypedPlace, kind: SnapKind)] = all.indices.flatMap { index in
    let places = TypedPlace.allCases
    return (0..<TestEffort.count(1, more: 2)).map { (places[(index + $0) % places.count], all[index]) }
  }

  private static func list<Element: RealmCollectionValue>(
    _ name: String,
    _ unit: Int,
    _ path: @escaping @Sendable (SnapAlbum) -> List<Element>,
    _ text: @escaping @Sendable (Element) -> String,
    _ make: @escaping @Sendable (Int) -> Element
  ) -> SnapKind {
    SnapKind(name: name, unit: unit) { album, range in
      for number in range { path(album).append(make(number)) }
    } exchange: { album in
      path(album)[3] = make(9_999)
    } contents: { album in
      path(album).map(text)
    }
  }

  private static func set<Element: RealmCollectionValue>(
    _ name: String,
    _ unit: Int,
    _ path: @escaping @Sendable (SnapAlbum) -> MutableSet<Element>,
    _ text: @escaping @Sendable (Element) -> String,
    _ make: @escaping @Sendable (Int) -> Element
  ) -> SnapKind {
    SnapKind(name: name, unit: unit) { album, range in
      for number in range { path(album).insert(make(number)) }
    } exchange: { album in
      path(album).remove(make(3))
      path(album).insert(make(9_999))
    } contents: { album in
      path(album).map(text).sorted()
    }
  }

  private static func map<Value: RealmCollectionValue>(
    _ name: String,
    _ unit: Int,
    _ path: @escaping @Sendable (SnapAlbum) -> Map<String, Value>,
    _ text: @escaping @Sendable (Value) -> String,
    _ make: @escaping @Sendable (Int) -> Value
  ) -> SnapKind {
    SnapKind(name: name, unit: unit) { album, range in
      for number in range { path(album)[key(number)] = make(number) }
    } exchange: { album in
      path(album)[key(3)] = make(9_999)
    } contents: { album in
      path(album).map { $0.key + "=" + text($0.value) }.sorted()
    }
  }

  private static func key(_ number: Int) -> String { "key \(number + 1_000)" }
  private static func text(_ number: Int) -> String { "a text of 20 bytes " + "\(number + 10_000)" }
  private static func photo(_ number: Int) -> SnapPhoto { SnapPhoto(value: ["id": number + 1_000]) }
  private static func part(_ number: Int) -> SnapPart { SnapPart(value: ["text": "part \(number + 1_000)"]) }
  private static func uuid(_ number: Int) -> UUID {
    UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, UInt8(number >> 8 & 255), UInt8(number & 255)))
  }

  private static let lists: [SnapKind] = [
    list("numbers", 8, { $0.numbers }, { "\($0)" }) { $0 },
    list("texts", 25, { $0.texts }, { $0 }) { text($0) },
    list("blobs", 25, { $0.blobs }, { $0.base64EncodedString() }) { Data(text($0).utf8) },
    list("dates", 8, { $0.dates }, { "\($0.timeIntervalSince1970)" }) {
      Date(timeIntervalSince1970: Double($0))
    },
    list("doubles", 10, { $0.doubles }, { "\($0 ?? -1)" }) { $0 % 7 == 0 ? nil : Double($0) },
    list("photos", 4, { $0.photos }, { "\($0.id)" }) { photo($0) },
    list("parts", 20, { $0.parts }, { $0.text }) { part($0) },
    list("values", 10, { $0.values }, { "\($0.intValue ?? -1)" }) { .int($0) },
    SnapKind(name: "array", unit: 8) { album, range in
      album.array += range
    } exchange: { album in
      album.array[3] = 9_999
    } contents: { album in
      album.array.map { "\($0)" }
    },
  ]

  private static let sets: [SnapKind] = [
    set("numberSet", 8, { $0.numberSet }, { "\($0)" }) { $0 },
    set("textSet", 25, { $0.textSet }, { $0 }) { text($0) },
    set("uuidSet", 16, { $0.uuidSet }, { $0.uuidString }) { uuid($0) },
    set("photoSet", 4, { $0.photoSet }, { "\($0.id)" }) { photo($0) },
  ]

  private static let maps: [SnapKind] = [
    map("numberMap", 17, { $0.numberMap }, { "\($0)" }) { $0 },
    map("textMap", 34, { $0.textMap }, { $0 }) { text($0) },
    map("photoMap", 14, { $0.photoMap }, { "\($0?.id ?? -1)" }) { photo($0) },
    map("partMap", 30, { $0.partMap }, { $0?.text ?? "nil" }) { part($0) },
  ]
}

/// A store of albums for one test, and the reads that it has reported as failed.
final class SnapStore: DatabaseConfigurable, Sendable {
  private let place: TypedPlace
  private let path: String
  private let reinserts: Bool
  private let reported = Mutex<[FiefError]>([])

  init(_ place: TypedPlace, reinserts: Bool) {
    self.place = place
    self.reinserts = reinserts
    path = NSTemporaryDirectory() + "fief-snapshots-\(UUID().uuidString)"
  }

  static func with(_ place: TypedPlace, reinserts: Bool = false, _ body: (SnapStore) throws -> Void) throws {
    let store = SnapStore(place, reinserts: reinserts)
    defer { try? FileManager.default.removeItem(atPath: store.path) }
    _ = try store.check()
    try body(store)
    store.closeChecked()
  }

  var realmMemoryType: RealmMemoryType { place == .disk ? .inStorage : .inMemory(identifier: path) }
  var schemaName: String? { "snapshots" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [SnapAlbum.self, SnapPhoto.self, SnapShelf.self, SnapMixed.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [SnapPart.self] }
  var migrationBlock: MigrationBlock? { nil }
  var directory: String? { path }
  var storeOptions: StoreOptions {
    var options = place.storeOptions
    options.reinsertsDeletedObjects = reinserts
    options.eventHandler = { [weak self] event in
      if case .failedRead(_, let type, let property, var error as FiefError) = event {
        (error.type, error.property) = (error.type ?? type, error.property ?? property)
        self?.reported.withLock { $0.append(error) }
      }
    }
    return options
  }

  /// The errors of reads since the last call.
  func errors() -> [FiefError] {
    reported.withLock { errors in
      defer { errors = [] }
      return errors
    }
  }

  func album(_ id: Int) throws -> SnapAlbum {
    try #require(try fetchObject(ofType: SnapAlbum.self, forPrimaryKey: id))
  }

  /// The stored elements; nil if there is no such album.
  func stored(_ id: Int, _ kind: SnapKind) throws -> [String]? {
    try read { try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id).map(kind.contents) }
  }
}
