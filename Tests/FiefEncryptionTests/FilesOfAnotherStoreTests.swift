import Fief
import FiefEncryption
import Foundation
import Testing

/// What *Encrypting* says of files that take the place of another store's.
@Suite struct FilesOfAnotherStoreTests {
  private func exchanged(
    _ first: StoreEncryption?,
    _ second: StoreEncryption?,
    _ body: (Vault) throws -> Void
  )
    throws
  {
    let scratch = try Scratch()
    let pets = Vault(parent: scratch.path, name: "pets", encryption: first)
    let people = Vault(parent: scratch.path, name: "people", encryption: second)
    for vault in [pets, people] {
      try vault.saveAndWait(entity: Secret(1, vault.name), update: false)
      vault.close()
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/people") {
      try FileManager.default.removeItem(atPath: "\(scratch.path)/people/\(name)")
    }
    try FileManager.default.copyItem(
      atPath: scratch.path + "/pets/data.mdb",
      toPath: scratch.path + "/people/data.mdb"
    )
    try body(people)
  }

  @Test("open, if the classes are the same and so is the key", arguments: [nil, 1 as UInt8])
  func sameKey(_ key: UInt8?) throws {
    try exchanged(key.map { .test($0) }, key.map { .test($0) }) { people in
      let (texts, problems) = (try people.texts(), try people.check().problems)
      #expect(texts == [1: "pets"] && problems.isEmpty)
      people.close()
    }
  }

  @Test("do not open with a key of each store's own")
  func ownKeys() throws {
    let keys = StoreEncryption.provider { Data(repeating: $0 == "pets" ? 1 : 2, count: 32) }
    try exchanged(keys, keys) { people in
      #expect(people.store().openingError?.code == .wrongKey)
      #expect(people.store().openingError?.store == "people")
    }
  }
}
