import Fief
import FiefEncryption
import Foundation
import Testing

/// A seed whose key is not the one that the options have.
@Suite struct SeedOfAnotherKeyTests {
  @Test("leaves nothing behind", arguments: [0, 1, 2])
  func leavesNothing(_ kind: Int) throws {
    let scratch = try Scratch()
    let parent = scratch.path
    let keys: [StoreEncryption?] = [.test(2), nil, .test(2)]
    let source = Vault(parent: parent + "/seeds", encryption: kind == 2 ? nil : .test(1))
    try source.saveAndWait(entity: Secret.full(1, "seed"), update: false)
    source.close()
    var vault = Vault(parent: parent + "/stores", encryption: keys[kind])
    vault.options.seedFile = parent + "/seeds/vault/data.mdb"
    let error = try #require(vault.store().openingError)
    #expect(error.code == [.wrongKey, .encrypted, .notEncrypted][kind])
    #expect(error.path == vault.options.seedFile)
    let place = parent + "/stores/vault"
    #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent + "/stores") == ["vault"])
    if kind == 2 {
      // A seed in clear becomes an encrypted store only by the call.
      try vault.encryptClearStore()
      #expect(try vault.store().isEncrypted && vault.count(Secret.self) == 1)
      #expect(try vault.check().problems.isEmpty)
      vault.close()
      try FileManager.default.removeItem(atPath: place)
    }
    // With the right key it begins with the seed still.
    vault.encryption = source.encryption
    #expect(try vault.count(Secret.self) == 1)
    #expect(try vault.check().problems.isEmpty)
    vault.close()
  }
}
