import Foundation
import LMDB
import Testing

/// A small file system in memory, mounted for a test; nil where mounting is not permitted.
final class SmallDisk {
  let path: String
  private let scratch = Scratch()

  init?(kilobytes: Int) {
    path = scratch["disk"]
    guard mkdir(path, 0o700) == 0 else { return nil }
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k,mode=700") == 0 else { return nil }
  }

  deinit { umount2(path, 2 /* MNT_DETACH */) }

  static let isPossible = SmallDisk(kilobytes: 64) != nil
}

@Suite(.serialized, .enabled(if: SmallDisk.isPossible, "mounting a file system is not permitted"))
struct DiskFullTests {
  private func fill(_ environment: Environment, _ items: Database, usingReserve: Bool = false) -> LMDBError? {
    var index = 0
    while index < 100_000 {
      do {
        try environment.write(usingReserve: usingReserve) { transaction in
          for part in 0..<20 {
            try transaction.put(items, "fill\(index)/\(part)", String(repeating: "v", count: 900))
          }
        }
      } catch {
        return error as? LMDBError
      }
      index += 1
    }
    return nil
  }

  @Test func whatWasCommittedStaysReadable() throws {
    let disk = try #require(SmallDisk(kilobytes: 2048))
    let environment = try Environment.open(directory: disk.path + "/store", options: .small(16 << 20))
    defer { environment.close() }
    let items = try environment.database("items")
    #expect(fill(environment, items)?.code == .diskFull)
    let count = try environment.read { try $0.count(items) }
    #expect(count > 500 && count % 20 == 0)
    for _ in 0..<3 { #expect(fill(environment, items)?.code == .diskFull) }
    #expect(try environment.read { try $0.count(items) } == count)
    #expect(try environment.read { try $0.text(items, "fill0/0") }?.count == 900)
    _ = try StoreVerifier.verify(directory: disk.path + "/store")
    #expect(code { try environment.copy(to: disk.path + "/copy") } == .diskFull)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["store"])
  }

  @Test func aReserveIsLeftForDeleting() throws {
    let disk = try #require(SmallDisk(kilobytes: 4096))
    var options = EnvironmentOptions.small(16 << 20)
    options.reservedBytes = 512 << 10
    let environment = try Environment.open(directory: disk.path + "/store", options: options)
    defer { environment.close() }
    let items = try environment.database("items")
    #expect(fill(environment, items)?.code == .diskFull)
    let count = try environment.read { try $0.count(items) }
    #expect(count > 1000)
    #expect(code { try environment.write { _ = try $0.delete(items, "fill0/0") } } == .diskFull)
    for index in 0..<(count / 40) {
      try environment.write(usingReserve: true) { transaction throws in
        for part in 0..<20 { #expect(try transaction.delete(items, "fill\(index)/\(part)")) }
      }
    }
    #expect(try environment.read { try $0.count(items) } <= count / 2 + 20)
    _ = try StoreVerifier.verify(directory: disk.path + "/store")
  }

  @Test func aStoreThatDoesNotFitIsAnError() throws {
    let disk = try #require(SmallDisk(kilobytes: 4))
    let result = code {
      try Environment.open(directory: disk.path + "/store", options: .small()).close()
    }
    #expect(result == .diskFull)
  }
}
