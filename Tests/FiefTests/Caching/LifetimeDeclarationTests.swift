import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

/// Lifetimes that classes declare, and those that are not possible.
@Suite struct LifetimeDeclarationTests {
  class Base: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var dates: List<Date>
    @Persisted var at: Date?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Misspelt: Base { override class func lifetime() -> Lifetime? { Lifetime(1, since: "et") } }
  final class OfText: Base { override class func lifetime() -> Lifetime? { Lifetime(1, since: "name") } }
  final class OfList: Base { override class func lifetime() -> Lifetime? { Lifetime(1, since: \Base.dates) } }
  final class Foreign: Base {
    override class func lifetime() -> Lifetime? { Lifetime(1, since: \CachedUser.cachedAt) }
  }
  final class Negative: Base { override class func lifetime() -> Lifetime? { Lifetime(-1, since: "at") } }
  final class NoNumber: Base { override class func lifetime() -> Lifetime? { Lifetime(.nan, since: "at") } }
  final class Unbounded: Base {
    override class func lifetime() -> Lifetime? {
      Lifetime(1, since: "at", maximumCount: 0, maximumBytes: -1)
    }
  }
  final class Sealed: Base {
    override class func lifetime() -> Lifetime? { Lifetime(1, since: "at", tier: .sealed) }
  }
  final class ExpiringPart: EmbeddedObject {
    @Persisted var at: Date?
    override class func lifetime() -> Lifetime? { Lifetime(1, since: "at") }
  }
  final class Whole: Object {
    @Persisted var part: ExpiringPart?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  private func error(_ types: [Object.Type], _ kind: StoreKind) -> FiefError? {
    #expect(throws: FiefError.self) { try StoreFixture(TestRepository(version: 1, objectTypes: types), kind) }
  }

  @Test(arguments: StoreKind.allCases) func whatCannotBeFailsTheOpening(_ kind: StoreKind) {
    let error = error(
      [
        Misspelt.self, OfText.self, OfList.self, Foreign.self, Negative.self, NoNumber.self, Unbounded.self,
        Whole.self,
      ],
      kind
    )
    #expect(error?.code == .invalidSchema)
    #expect(
      error.map { Set($0.details) } == [
        "Misspelt: a lifetime is declared for 'et', which is not a property",
        "OfText.name: a lifetime starts at a Date or Date?, not at String",
        "OfList.dates: a lifetime starts at a Date or Date?, not at List<Date>",
        "Foreign: lifetime() has a key path that is not a persisted property of the class",
        "Negative.at: a lifetime cannot have -1.0 seconds",
        "NoNumber.at: a lifetime cannot have nan seconds",
        "Unbounded.at: the limit of a lifetime cannot be 0",
        "Unbounded.at: the limit of a lifetime cannot be -1",
        "ExpiringPart: an embedded object cannot have its own lifetime",
      ]
    )
  }

  @Test(arguments: [StoreKind.inMemory, .onDisk]) func aSealedLifetimeNeedsAnEncryptedStore(_ kind: StoreKind)
  {
    let error = error([Sealed.self], kind)
    #expect(error?.code == .encryptionRequired && error?.type == "Sealed" && error?.property == "at")
  }

  @Test func aSealedLifetimeIsKeptInAnEncryptedStore() throws {
    let store = try StoreFixture(TestRepository(objectTypes: [Sealed.self]), .encrypted)
    let count = try store.count(Sealed.self)
    #expect(count == 0)
  }

  /// A store is the same with another lifetime, or with none.
  final class Short: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var at: Date?
    override class func className() -> String { "Copy" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func lifetime() -> Lifetime? { Lifetime(1, since: "at") }
  }
  final class Long: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var at: Date?
    override class func className() -> String { "Copy" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func lifetime() -> Lifetime? { Lifetime(100, since: "at") }
  }

  @Test func aLifetimeIsNoPartOfTheSchema() async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let clock = ManualClock()
    var options = StoreOptions()
    options.clock = clock.read
    let short = TestRepository(in: directory.path, version: 1, objectTypes: [Short.self], options: options)
    try await short.write { try $0.add(Short(value: ["id": 1, "at": clock.now])) }
    short.close()
    clock.advance(by: 50)
    let long = TestRepository(in: directory.path, version: 1, objectTypes: [Long.self], options: options)
    #expect(try await long.sweepExpired() == 0)
    clock.advance(by: 51)
    #expect(try await long.sweepExpired() == 1)
    long.close()
  }

  @Test func onlyTypesThatARepositoryDeclaresAreSwept() async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let clock = ManualClock()
    var options = StoreOptions()
    options.clock = clock.read
    let types = [CachedUser.self, CachedPlace.self]
    let whole = TestRepository(in: directory.path, version: 1, objectTypes: types, options: options)
    try await whole.write { transaction in
      try transaction.add(CachedUser(1))
      try transaction.add(CachedPlace(value: ["name": "a", "cachedAt": clock.now]))
    }
    clock.advance(by: 61)
    let part = TestRepository(
      in: directory.path,
      version: 1,
      objectTypes: [CachedPlace.self],
      options: options
    )
    #expect(try await part.sweepExpired() == 1)
    #expect(try whole.count(CachedUser.self) == 1 && whole.count(CachedPlace.self) == 0)
    whole.close()
  }
}
