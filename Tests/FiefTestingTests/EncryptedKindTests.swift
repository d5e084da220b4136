import Fief
import FiefEncryption
import FiefTesting
import Foundation
import Testing

@Suite struct EncryptedKindTests {
  @Test func hasNothingInClearInItsFile() throws {
    let name = "Lulu of the marker"
    for kind in StoreKind.allCases {
      let shop = try StoreFixture(ShopRepository(), kind)
      try shop.write { try $0.add(ShopDog(value: ["id": 1, "tags": [name]])) }
      #expect(try shop.store().isEncrypted == (kind == .encrypted))
      let file = try Data(contentsOf: URL(filePath: try #require(shop.store().directory) + "/data.mdb"))
      #expect((file.range(of: Data(name.utf8)) == nil) == (kind == .encrypted), "\(kind)")
    }
  }

  @Test(.freshStores(.encrypted)) func holdsForRepositoriesThatAreMadeElsewhere() throws {
    try Shop().add(1, "Lulu")
    #expect(try ShopRepository().store().isEncrypted)
    let store = VisitRepository().store()
    #expect(try store.isEncrypted)
  }

  @Test func isOpenedWithoutClassesToo() throws {
    let visits = try StoreFixture(VisitRepository(), .encrypted)
    try visits.write { try $0.add(ShopVisit("a")) }
    let place = try #require(visits.store().directory)
    let other = try DynamicStore(directory: place)
    #expect(try other.read { try $0.count(of: "ShopVisit") } == 1)
    other.close()
    let shop = try StoreFixture(ShopRepository(), .encrypted)
    try shop.write { try $0.add(ShopDog(1, "Lulu")) }
    let directory = try #require(shop.store().directory)
    let dynamic = try DynamicStore(directory: directory)
    #expect(try dynamic.read { try $0.count(of: "ShopDog") } == 1)
    dynamic.close()
  }

  @Test func followsWhatTheTestChanges() throws {
    let shop = try StoreFixture(ShopRepository(), .encrypted)
    try shop.write { try $0.add(ShopDog(1, "Lulu")) }
    try shop.changeEncryptionKey(to: .key(Data(repeating: 1, count: 32)))
    shop.close()
    try expectCount(of: shop, ShopDog.self, 1)
    try shop.decrypt()
    shop.close()
    try expectCount(of: shop, ShopDog.self, 1)
    #expect(try !shop.store().isEncrypted)
    // The check at the end opens the store in clear.
    shop.close()
  }

  /// A repository that names no key finds an encrypted store as it would outside of tests.
  @Test(arguments: [StoreKind.inMemory, .onDisk]) func otherPlacesGiveNoKeys(_ kind: StoreKind) throws {
    try withFreshStores(kind) {
      func repository(_ encryption: StoreEncryption?) -> TestRepository {
        var options = StoreOptions()
        options.encryption = encryption
        return TestRepository(
          objectTypes: [ShopDog.self, ShopPerson.self],
          embedded: [ShopChip.self],
          options: options
        )
      }
      let key = StoreEncryption.key(Data(repeating: 7, count: 32))
      try repository(key).write { try $0.add(ShopDog(1, "Lulu")) }
      repository(key).close()
      let wrong = repository(.key(Data(repeating: 8, count: 32))).store()
      #expect(wrong.openingError?.code == .wrongKey)
      #expect(repository(nil).store().openingError?.code == .encrypted)
      let count = try repository(key).count(ShopDog.self)
      #expect(count == 1)
      repository(key).close()
    }
  }

  @Test func leavesTheKeyOfTheRepository() throws {
    var options = StoreOptions()
    let key = Data(repeating: 7, count: 32)
    options.encryption = .key(key)
    let shop = try StoreFixture(
      TestRepository(
        objectTypes: [ShopDog.self, ShopPerson.self],
        embedded: [ShopChip.self],
        options: options
      ),
      .encrypted
    )
    try shop.write { try $0.add(ShopDog(1, "Lulu")) }
    let directory = try #require(shop.store().directory)
    let dynamic = try DynamicStore(directory: directory, encryption: .key(key))
    dynamic.close()
    let other = #expect(throws: FiefError.self) {
      try DynamicStore(directory: directory, encryption: .key(Data(repeating: 8, count: 32)))
    }
    #expect(other?.code == .wrongKey)
  }
}
