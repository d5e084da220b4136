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
