import Fief
import FiefEncryption
import Foundation
import Testing

/// Changes of a store's key while another process uses the store.
@Suite(.timeLimit(.minutes(30))) struct OtherProcessTests {
  let scratch: Scratch
  let vault: Vault

  init() throws {
    scratch = try Scratch()
    vault = Vault(parent: scratch.path, encryption: .test(1))
  }

  private func fill(_ vault: Vault, _ count: Int = 200) throws {
    try vault.write { transaction in
      for id in 0..<count { try transaction.add(Secret.full(id, "text \(id)")) }
    }
  }

  /// Lets a process go on after a change, ends it, and returns the objects that it has saved.
  private func end(_ child: CrashChild) throws -> Set<Int> {
    try Data().write(to: URL(filePath: scratch.path + "/after"))
    let (lines, _) = try child.kill(microseconds: 0, after: "after")
    #expect(lines.filter { $0.hasPrefix("error") || $0.hasPrefix("wrong") } == [])
    return saved(lines)
  }

  private func saved(_ lines: [Substring]) -> Set<Int> {
    Set(lines.compactMap { $0.hasPrefix("saved ") ? Int($0.dropFirst(6)) : nil })
  }

  private func expect(_ ids: Set<Int>, in vault: Vault) throws {
    let texts = try vault.texts()
    // The write that was not acknowledged may be there.
    #expect(ids.isSubset(of: texts.keys) && texts.count <= ids.count + 1)
    #expect(texts.allSatisfy { $1 == "text \($0)" })
    #expect(try vault.check().problems == [])
    vault.close()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter { $0.hasPrefix(".") } == []
    )
  }

  @Test("a process that has the store open goes on with it after another one has changed its key")
  func change() throws {
    try fill(vault)
    let child = try CrashChild("encrypted-stay", scratch.path, "1", "1000")
    child.wait(for: "open")
    for round in 0..<20 { try vault.changeEncryptionKey(to: .test(round % 2 == 0 ? 2 : 1)) }
    try vault.changeEncryptionKey(to: .test(2))
    vault.close()
    let saved = try end(child)
    #expect(code { try vault.open() } == .wrongKey)
    try expect(saved.union(0..<200), in: vault.with(.test(2)))
  }

  /// A change that makes a copy: the byte of the store's key, and the change.
  enum Copying: CaseIterable {
    case reencrypt, encrypt, decrypt, clearStore

    var former: UInt8 { self == .encrypt || self == .clearStore ? 0 : 1 }
    var new: UInt8 { self == .decrypt ? 0 : 2 }

    func perform(_ vault: Vault) throws {
      switch self {
      case .reencrypt: try vault.reencrypt(with: .test(2))
      case .encrypt: try vault.encrypt(with: .test(2))
      case .decrypt: try vault.decrypt()
      case .clearStore:
        vault.close()
        let asking = vault.with(.test(2))
        defer { asking.close() }
        try asking.encryptClearStore()
      }
    }
  }

  private func key(_ byte: UInt8) -> StoreEncryption? { byte == 0 ? nil : .test(byte) }

  @Test(
    "a store that another process has open is not copied, and stays as it was",
    arguments: Copying.allCases
  )
  func refusal(copying: Copying) throws {
    let (former, new) = (vault.with(key(copying.former)), vault.with(key(copying.new)))
    try fill(former)
    former.close()
    let child = try CrashChild("encrypted-stay", scratch.path, "\(copying.former)", "1000")
    child.wait(for: "open")
    for _ in 0..<3 { #expect(code { try copying.perform(former) } == .storeInUse) }
    #expect(former.object(ofType: Secret.self, forPrimaryKey: 3)?.text == "text 3")
    former.close()
    let saved = try end(child).union(0..<200)
    try expect(saved, in: former)
    try copying.perform(former)
    former.close()
    try expect(saved, in: new)
    #expect(
      code { try former.open() }
        == (copying == .decrypt ? .notEncrypted : former.encryption == nil ? .encrypted : .wrongKey)
    )
  }

  @Test("nothing is lost where a process gives a store new data keys and another one comes and goes")
  func comingAndGoing() throws {
    // Many enough for the other process to write while they are copied.
    try fill(vault, 2_000)
    vault.close()
    let child = try CrashChild("encrypted-come-and-go", scratch.path, "1", "10000")
    child.wait(for: "saved")
    var done = 0
    while done < 10 {
      let found = code { try vault.reencrypt(with: .test(1)) }
      if found == nil { done += 1 }
      #expect(found == nil || found == .storeInUse)
      vault.close()
    }
    try Data().write(to: URL(filePath: scratch.path + "/after"))
    let (lines, end) = child.finish()
    #expect(end == .exited(0) && lines.filter { $0.hasPrefix("error") || $0.hasPrefix("wrong") } == [])
    try expect(saved(lines).union(0..<2_000), in: vault)
  }
}
