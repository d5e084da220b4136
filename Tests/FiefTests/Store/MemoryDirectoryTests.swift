import ChildProcesses
import Fief
import Foundation
import Testing

@testable import FiefCore

@Suite("The directories of stores in memory", .timeLimit(.minutes(20)))
struct MemoryDirectoryTests {
  private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// The directory left by a process that ended without removing it.
  private static func abandoned(in place: String, name: String, mark: Bool = true) throws -> String {
    let path = place + "/fief-memory-\(name)"
    try StoreLocation.createPrivateDirectory(path)
    try Data(count: 5_000).write(to: URL(fileURLWithPath: path + "/data.mdb"))
    if mark { try Data().write(to: URL(fileURLWithPath: path + "/.owner")) }
    return path
  }

  @Test("are each their own, for their user alone, and go when removed")
  func make() throws {
    let paths = try (0..<20).map { _ in try StoreLocation.makeInMemoryDirectory() }
    #expect(Set(paths).count == 20)
    for path in paths {
      #expect(try StoreLocationTests.mode(path) == 0o700)
      #expect(path.contains("fief-memory-\(getpid())-"))
      try Data([1]).write(to: URL(fileURLWithPath: path + "/data.mdb"))
    }
    for path in paths { try StoreLocation.removeDirectory(path) }
    #expect(!paths.contains(where: Self.exists))
  }

  #if os(Linux)
    @Test("are in memory where there is room")
    func place() throws {
      let before = MemoryDirectories.places()
      let path = try StoreLocation.makeInMemoryDirectory()
      defer { try? StoreLocation.removeDirectory(path) }
      // Other processes may take the space, or give it back, meanwhile.
      #expect([before[0], MemoryDirectories.places()[0]].contains { path.hasPrefix($0 + "/") })
      #expect(!MemoryDirectories.hasRoom("/proc"), "not every file system is one in memory")
      #expect(!MemoryDirectories.hasRoom("/missing"))
      #expect(!MemoryDirectories.hasRoom("/dev/shm", leastFreeBytes: 1 << 60))
    }
  #endif

  @Test("stay while their process lives and go with a sweep when it has ended")
  func sweep() async throws {
    let mine = try StoreLocation.makeInMemoryDirectory()
    defer { try? StoreLocation.removeDirectory(mine) }
    try Data([1]).write(to: URL(fileURLWithPath: mine + "/data.mdb"))
    let left = try MemoryDirectories.places(isSweep: true).map {
      try Self.abandoned(in: $0, name: "1-\(UUID().uuidString)")
    }
    // Another process, or another test, may be removing one of them.
    try await until {
      StoreLocation.sweepAbandoned()
      return !left.contains(where: Self.exists)
    }
    #expect(Self.exists(mine + "/data.mdb"))
  }

  @Test("are not swept when they are new and not locked yet, only when they are old")
  func unlocked() throws {
    let place = try StoreLocationTests.temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: place) }
    // No process has this number.
    let path = try Self.abandoned(in: place, name: "2000000000-a", mark: false)
    let ours = try Self.abandoned(in: place, name: "\(getpid())-a", mark: false)
    MemoryDirectories.sweep(place)
    #expect(Self.exists(path))
    for path in [path, ours] {
      let old = Date(timeIntervalSinceNow: -120)
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    }
    MemoryDirectories.sweep(place)
    #expect(!Self.exists(path))
    #expect(Self.exists(ours), "its process is alive")
  }

  @Test("are told from all else that is there")
  func others() throws {
    let place = try StoreLocationTests.temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: place) }
    let target = place + "/precious"
    try StoreLocation.createPrivateDirectory(target)
    try Data([1]).write(to: URL(fileURLWithPath: target + "/.owner"))
    try FileManager.default.createSymbolicLink(
      atPath: place + "/fief-memory-1-link",
      withDestinationPath: target
    )
    try Data([1]).write(to: URL(fileURLWithPath: place + "/fief-memory-1-file"))
    MemoryDirectories.sweep(place)
    #expect(Self.exists(target + "/.owner"))
    #expect(Self.exists(place + "/fief-memory-1-file"))
  }

  #if os(Linux)
    @Test("of another process stay until that is killed")
    func killed() throws {
      let place = try StoreLocationTests.temporaryDirectory()
      defer { try? FileManager.default.removeItem(atPath: place) }
      let path = try Self.abandoned(in: place, name: "1-other")
      let child = try ChildProcess(
        "flock",
        ["--no-fork", path + "/.owner", "sh", "-c", "echo locked; exec sleep 600"],
        output: .pipe
      )
      #expect(try child.output.line() == "locked")
      MemoryDirectories.sweep(place)
      #expect(Self.exists(path + "/data.mdb"))
      child.kill()
      child.wait()
      MemoryDirectories.sweep(place)
      #expect(!Self.exists(path))
    }
  #endif

  @Test("are made in a place that many sweep at the same time")
  func race() async throws {
    let place = try StoreLocationTests.temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: place) }
    let paths = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask { try (0..<100).map { _ in try MemoryDirectories.make(in: place) } }
        group.addTask {
          for _ in 0..<20 { MemoryDirectories.sweep(place) }
          return []
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(paths.count == 400)
    #expect(paths.allSatisfy(Self.exists))
    for path in paths { try StoreLocation.removeDirectory(path) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
  }
}
