import ChildProcesses
import Foundation
import LMDB
import TestEffort
import Testing

/// A small file system, mounted for a test; nil where that is not permitted.
final class SmallDisk {
  enum Kind: String, CaseIterable {
    /// A disk in memory: a write that does not fit ends early.
    case tmpfs
    /// A disk on a file: a write that does not fit fails.
    case ext4

    var isPossible: Bool { SmallDisk(self, kilobytes: 2048) != nil }
    static let possible = allCases.filter(\.isPossible)
  }

  let path: String
  private let scratch = Scratch()

  init?(_ kind: Kind, kilobytes: Int) {
    path = scratch["disk"]
    guard mkdir(path, 0o700) == 0 else { return nil }
    switch kind {
    case .tmpfs:
      guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k,mode=700") == 0 else { return nil }
    case .ext4:
      let image = scratch["image"]
      guard FileManager.default.createFile(atPath: image, contents: nil),
        truncate(image, off_t(kilobytes << 10)) == 0,
        run("mkfs.ext4", "-q", "-F", "-m", "0", image), run("mount", "-o", "loop", image, path)
      else { return nil }
    }
  }

  deinit { umount2(path, 2 /* MNT_DETACH */) }

  private func run(_ program: String, _ arguments: String...) -> Bool {
    let path = ChildProcess.Environment.only(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    let outcome = try? ChildProcess.run(program, arguments, environment: path)
    return outcome?.end == .exited(0)
  }
}

@Suite(.serialized, .enabled(if: !SmallDisk.Kind.possible.isEmpty, "mounting a file system is not permitted"))
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

  @Test(arguments: SmallDisk.Kind.possible)
  func whatWasCommittedStaysReadable(kind: SmallDisk.Kind) throws {
    let disk = try #require(SmallDisk(kind, kilobytes: 4096))
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
    let names = try FileManager.default.contentsOfDirectory(atPath: disk.path)
    #expect(names.filter { $0 != "lost+found" } == ["store"])
  }

  @Test(arguments: SmallDisk.Kind.possible)
  func aReserveIsLeftForDeleting(kind: SmallDisk.Kind) throws {
    let disk = try #require(SmallDisk(kind, kilobytes: TestEffort.count(4096, more: 8192)))
    var options = EnvironmentOptions.small(16 << 20)
    options.reservedBytes = 512 << 10
    let environment = try Environment.open(directory: disk.path + "/store", options: options)
    defer { environment.close() }
    let items = try environment.database("items")
    #expect(fill(environment, items)?.code == .diskFull)
    let count = try environment.read { try $0.count(items) }
    #expect(count > TestEffort.count(500, more: 1000))
    #expect(code { try environment.write { _ = try $0.delete(items, "fill0/0") } } == .diskFull)
    for index in 0..<(count / 40) {
      try environment.write(usingReserve: true) { transaction throws in
        for part in 0..<20 { #expect(try transaction.delete(items, "fill\(index)/\(part)")) }
      }
    }
    #expect(try environment.read { try $0.count(items) } <= count / 2 + 20)
    // Freed pages are used again, although the disk is as full as it was.
    for index in 0..<(count / 80) {
      try environment.write { try $0.put(items, "again\(index)", String(repeating: "v", count: 900)) }
    }
    _ = try StoreVerifier.verify(directory: disk.path + "/store")
  }

  @Test func aStoreThatDoesNotFitIsAnError() throws {
    let disk = try #require(SmallDisk(.tmpfs, kilobytes: 4))
    let result = code {
      try Environment.open(directory: disk.path + "/store", options: .small()).close()
    }
    #expect(result == .diskFull)
  }
}
