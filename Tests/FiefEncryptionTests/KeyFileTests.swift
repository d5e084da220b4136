import Fief
import FiefEncryption
import Foundation
import Testing

/// Files with keys: which ones are taken.
@Suite struct KeyFileTests {
  let scratch: Scratch
  private let path: String

  init() throws {
    scratch = try Scratch()
    path = scratch.path + "/key"
  }

  private func refusal(_ path: String) -> FiefError? {
    do {
      try Vault(parent: scratch.path, encryption: .keyFile(path)).open()
      return nil
    } catch { return error as? FiefError }
  }

  private func write(_ count: Int, mode: Int = 0o600) throws {
    try? FileManager.default.removeItem(atPath: path)
    try Data(repeating: 3, count: count).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test("a key file that was made has 32 random bytes for its owner, and is not made twice")
  func making() throws {
    try StoreEncryption.makeKeyFile(at: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.count == 32 && Set(bytes).count > 8)
    #expect(code { try StoreEncryption.makeKeyFile(at: path) } == .invalidKey)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    #expect(code { try StoreEncryption.makeKeyFile(at: scratch.path + "/none/key") } == .invalidKey)
  }

  @Test("other files are refused with the reason and the path")
  func refusals() throws {
    let cases: [(count: Int, mode: Int, reason: String)] = [
      (31, 0o600, "31 bytes"), (33, 0o600, "33 bytes"), (0, 0o600, "0 bytes"), (32, 0o640, "others"),
      (32, 0o604, "others"), (32, 0o700, "executable"),
    ]
    for (count, mode, reason) in cases {
      try write(count, mode: mode)
      let error = try #require(refusal(path))
      #expect(error.code == .invalidKey && error.path == path && error.store == "vault")
      #expect(error.details.joined().contains(reason), "\(error)")
    }
    try write(32)
    let link = scratch.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(refusal(link)?.details.joined().contains("link") == true)
    #expect(refusal(scratch.path)?.details.joined().contains("regular") == true)
    #expect(refusal(scratch.path + "/none")?.code == .invalidKey)
    mkfifo(scratch.path + "/pipe", 0o600)
    #expect(refusal(scratch.path + "/pipe")?.details.joined().contains("regular") == true)
    if geteuid() == 0 {
      chown(path, 12345, 12345)
      #expect(refusal(path)?.details.joined().contains("another user") == true)
      chown(path, 0, 0)
    }
    try write(32, mode: 0o400)
    #expect(refusal(path) == nil)
  }

  @Test("the error of a provider is below that of the key")
  func providers() throws {
    struct Locked: Error {}
    do {
      try Vault(parent: scratch.path, encryption: .provider { _ in throw Locked() }).open()
      Issue.record("a store is open without its key")
    } catch let error as FiefError {
      #expect(error.code == .invalidKey && error.underlying is Locked && error.store == "vault")
    }
    #expect(code { try Vault(parent: scratch.path, encryption: .passphrase("")).open() } == .invalidKey)
  }
}
