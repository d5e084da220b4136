import Fief
import FiefTesting
import Foundation
import Testing

/// Work on other threads does not reach the directories that repositories name. One at a time: such work fails the
/// only test with fresh stores.
@Suite(.serialized) struct OutsideOfTestTests {
  /// A directory that is none of those for temporary files, wherever the checkout is.
  private static let real = "/var/tmp/fief-outside-\(UUID())"

  private struct RealShop: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "outside" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [ShopVisit.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
    var directory: String? = OutsideOfTestTests.real
  }

  private func code(_ work: @escaping @Sendable () throws -> Void) async -> FiefError.Code? {
    await Task.detached {
      do { try work() } catch { return (error as? FiefError)?.code }
      return nil
    }.value
  }

  private func isTouched() -> Bool { FileManager.default.fileExists(atPath: Self.real) }

  @Test func aDetachedTaskFailsInsteadOfWritingToRealData() async throws {
    try await withFreshStores {
      try await RealShop().save(entity: ShopVisit("fresh"), update: true)
      var codes: [FiefError.Code?] = []
      await withExpectedEventsOrNone {
        codes.append(await code { try RealShop().write { try $0.add(ShopVisit("real")) } })
        codes.append(await code { try RealShop().deleteStore() })
        codes.append(await code { _ = try RealShop().count(ShopVisit.self) })
        codes.append(await code { try RealShop(directory: nil).open() })
      }
      #expect(codes == Array(repeating: .outsideOfTest, count: 4))
      try expectCount(of: RealShop(), ShopVisit.self, 1)
    }
    #expect(!isTouched())
  }

  @Test func temporaryDirectoriesAndWhatATestMeansAreAllowed() async throws {
    try withFreshStores {}
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let shop = RealShop(directory: directory)
    #expect(await code { try RealShop(directory: directory).open() } == nil)
    shop.close()
    defer { try? FileManager.default.removeItem(atPath: Self.real) }
    try withOwnDirectories {
      try RealShop().open()
      #expect(RealShop().store().directory == Self.real + "/outside")
      #expect(try RealShop().check().problems.isEmpty)
      RealShop().close()
    }
    #expect(isTouched())
  }

  /// Other tests with fresh stores may run at the same time, so that no test in particular gets the event.
  private func withExpectedEventsOrNone(_ body: () async -> Void) async {
    await withKnownIssue(isIntermittent: true) {
      await withExpectedEvents({ $0.failure?.code == .outsideOfTest }, body)
    }
  }
}
