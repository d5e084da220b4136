import Foundation
import LMDB
import TestEffort
import Testing

/// The remains of openings that did not get as far as a store: the next one makes it.
@Suite(.serialized, .timeLimit(.minutes(20))) struct UnmadeStoreTests {
  let scratch = Scratch()

  private func expectNew(_ path: String, _ comment: Comment) throws {
    let environment = try Environment.open(directory: path, options: .small())
    defer { environment.close() }
    #expect(try environment.read { try $0.databaseNames() } == [], comment)
    let items = try environment.database("items")
    try environment.write { try $0.put(items, "a", "1") }
    #expect(try environment.read { try $0.text(items, "a") } == "1", comment)
  }

  private func readOnly() -> EnvironmentOptions {
    var options = EnvironmentOptions.small()
    options.isReadOnly = true
    return options
  }

  /// The file as LMDB makes it, and pages of a commit that was not completed.
  private func firstFile() throws -> [UInt8] {
    try Environment.open(directory: scratch["first"], options: .small()).close()
    let file = try Data(contentsOf: URL(fileURLWithPath: scratch["first"] + "/data.mdb"))
    return [UInt8](file.prefix(8192)) + (0..<12288).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  }

  private func put(_ bytes: [UInt8], in name: String, hasManifest: Bool = false) throws -> String {
    let path = scratch[name]
    #expect(mkdir(path, 0o700) == 0)
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/data.mdb"))
    chmod(path + "/data.mdb", 0o600)
    if hasManifest {
      try Data("Fief store\n".utf8).write(to: URL(fileURLWithPath: path + "/store.manifest"))
      chmod(path + "/store.manifest", 0o600)
    }
    return path
  }

  @Test func whatACutOfThePowerLeavesOfAFirstOpeningIsMadeNew() throws {
    let first = try firstFile()
    let zeros = [UInt8](repeating: 0, count: 4096)
    var number = 0
    for size in [1, 100, 512, 4096, 4097, 8192, 12288, 20480] {
      for (hasFirst, hasSecond) in [(false, false), (true, false), (false, true)] {
        var bytes = first
        if !hasFirst { bytes.replaceSubrange(0..<4096, with: zeros) }
        if !hasSecond { bytes.replaceSubrange(4096..<8192, with: zeros) }
        // Part of the first sector of a file is never there without the rest.
        if hasFirst, size < 512 { continue }
        if hasSecond, size > 4096, size < 4096 + 512 { continue }
        let path = try put([UInt8](bytes.prefix(size)), in: "store\(number)")
        number += 1
        #expect(code { try Environment.open(directory: path, options: readOnly()).close() } == .notFound)
        try expectNew(path, "\(size) bytes, \(hasFirst) \(hasSecond)")
      }
    }
  }

  /// A full disk cuts off a write anywhere, a power cut at a sector.
  @Test func aFileThatEndsWithinItsSecondMetaPageIsMadeNew() throws {
    let first = try firstFile()
    for size in [4097, 4200, 4608, 8191] {
      let path = try put([UInt8](first.prefix(size)), in: "cut\(size)")
      #expect(code { try Environment.open(directory: path, options: readOnly()).close() } == .notFound)
      try expectNew(path, "\(size) bytes")
    }
    let path = try put([UInt8](first.prefix(4608)), in: "lost", hasManifest: true)
    #expect(code { try Environment.open(directory: path, options: .small()).close() } == .truncated)
  }

  @Test func whatMayHaveBeenAStoreIsLeftAlone() throws {
    let first = try firstFile()
    // A manifest says that there was one.
    var path = try put([UInt8](first.prefix(4096)), in: "lost", hasManifest: true)
    #expect(code { try Environment.open(directory: path, options: .small()).close() } == .truncated)
    // A file of another user.
    path = try put([UInt8]("Dear diary".utf8) + [UInt8](repeating: 0, count: 9000), in: "diary")
    #expect(code { try Environment.open(directory: path, options: .small()).close() } != nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/data.mdb")).starts(with: [UInt8]("Dear".utf8)))
    // A commit, and a meta page that is gone.
    let made = try Environment.open(directory: scratch["made"], options: .small())
    _ = try made.database("items")
    made.close()
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch["made"] + "/data.mdb")))
    bytes.replaceSubrange(0..<4096, with: [UInt8](repeating: 0, count: 4096))
    path = try put(bytes, in: "damaged")
    #expect(code { try Environment.open(directory: path, options: .small()).close() } != nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/data.mdb")) == Data(bytes))
  }

  @Test(.enabled(if: !SmallDisk.Kind.possible.isEmpty, "mounting a file system is not permitted"))
  func aFirstOpeningOnAFullDiskLeavesNothingBehind() throws {
    for kind in SmallDisk.Kind.possible {
      let disk = try #require(SmallDisk(kind, kilobytes: 4096))
      var failures = 0
      for kilobytes in stride(from: 0, through: 64, by: TestEffort.count(8, more: 4)) {
        let path = disk.path + "/store"
        _ = disk.fill(leaving: kilobytes << 10)
        let failure = code { try Environment.open(directory: path, options: .small()).close() }
        #expect(failure == nil || failure == .diskFull, "\(kind), \(kilobytes) KiB")
        if failure != nil { failures += 1 }
        disk.removeFillers()
        try expectNew(path, "\(kind), \(kilobytes) KiB")
        disk.remove(try FileManager.default.contentsOfDirectory(atPath: path).map { "store/" + $0 })
        #expect(rmdir(path) == 0)
      }
      #expect(failures > TestEffort.count(2, more: 5), "\(kind)")
    }
  }
}
