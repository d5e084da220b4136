import Foundation
import LMDB
import TestEffort
import Testing

@Suite struct FileTests {
  let scratch = Scratch()
  var data: String { scratch["store/data.mdb"] }
  var manifest: String { scratch["store/store.manifest"] }

  private func make(_ entries: Int = 200) throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    let items = try environment.database("items")
    try environment.write { transaction in
      for index in 0..<entries { try transaction.put(items, "\(index)", String(repeating: "v", count: 500)) }
    }
    environment.close()
  }

  /// The code of opening the store with these options; nil when it opens.
  private func opening(_ change: (inout EnvironmentOptions) -> Void = { _ in }) -> LMDBError.Code? {
    var options = EnvironmentOptions.small()
    change(&options)
    return code { try Environment.open(directory: scratch["store"], options: options).close() }
  }

  private func mode(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
  }

  @Test func filesBelongToTheirOwnerAlone() throws {
    try make()
    #expect(try mode(scratch["store"]) == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch["store"]).sorted()
    #expect(names == ["data.mdb", "lock.mdb", "store.manifest"])
    for name in names { #expect(try mode(scratch["store/" + name]) == 0o600, "\(name)") }
  }

  @Test func aLostDataFileDoesNotBecomeANewStore() throws {
    try make()
    #expect(truncate(data, 0) == 0)
    #expect(opening() == .truncated)
    #expect(code { _ = try StoreVerifier.verify(directory: scratch["store"]) } == .truncated)
    #expect(unlink(data) == 0)
    #expect(opening() == .truncated)
    #expect(code { _ = try StoreVerifier.verify(directory: scratch["store"]) } == .truncated)
    #expect(!FileManager.default.fileExists(atPath: data))
    // A directory without the manifest shows no trace of a store.
    #expect(unlink(manifest) == 0)
    #expect(code { _ = try StoreVerifier.verify(directory: scratch["store"]) } == .notFound)
    #expect(opening { $0.createsIfMissing = false } == .notFound)
    #expect(opening { $0.isReadOnly = true } == .notFound)
    #expect(opening() == nil)
  }

  @Test func aStoreWithoutAManifestGetsOne() throws {
    try make()
    #expect(unlink(manifest) == 0)
    #expect(opening { $0.isReadOnly = true } == nil)
    #expect(!FileManager.default.fileExists(atPath: manifest))
    #expect(opening() == nil)
    #expect(FileManager.default.fileExists(atPath: manifest))
  }

  @Test func aMissingStoreIsMadeOnlyWhereAllowed() {
    #expect(opening { $0.createsIfMissing = false } == .notFound)
    #expect(!FileManager.default.fileExists(atPath: scratch["store"]))
    #expect(code { _ = try Environment.open(directory: scratch["no/store"], options: .small()) } == .notFound)
    #expect(code { _ = try Environment.open(directory: "", options: .small()) } == .unsafePath)
    #expect(code { _ = try Environment.open(directory: "/tmp/a\0b", options: .small()) } == .unsafePath)
  }

  @Test func symbolicLinksAreRefused() throws {
    try make()
    #expect(symlink(scratch["store"], scratch["link"]) == 0)
    #expect(code { _ = try Environment.open(directory: scratch["link"], options: .small()) } == .unsafePath)
    #expect(code { _ = try Environment.open(directory: scratch["link/"], options: .small()) } == .unsafePath)
    #expect(code { _ = try StoreVerifier.verify(directory: scratch["link"]) } == .unsafePath)
    for name in ["data.mdb", "lock.mdb", "store.manifest"] {
      #expect(rename(scratch["store/" + name], scratch["moved"]) == 0)
      #expect(symlink(scratch["moved"], scratch["store/" + name]) == 0)
      #expect(opening() == .unsafePath, "\(name)")
      #expect(unlink(scratch["store/" + name]) == 0)
      #expect(rename(scratch["moved"], scratch["store/" + name]) == 0)
    }
    #expect(opening() == nil)
  }

  @Test func filesThatAreNotPlainAreRefused() throws {
    try make()
    #expect(link(data, scratch["second"]) == 0)
    #expect(opening() == .unsafePath)
    #expect(unlink(scratch["second"]) == 0)
    #expect(rename(data, scratch["moved"]) == 0)
    #expect(mkfifo(data, 0o600) == 0)
    #expect(opening() == .unsafePath)
    #expect(unlink(data) == 0)
    #expect(mkdir(data, 0o700) == 0)
    #expect(opening() == .unsafePath)
    #expect(rmdir(data) == 0)
    #expect(rename(scratch["moved"], data) == 0)
    #expect(opening() == nil)
    let file = scratch["file"]
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    #expect(code { _ = try Environment.open(directory: file, options: .small()) } == .unsafePath)
  }

  @Test func filesThatOthersCanChangeAreRefused() throws {
    try make()
    for path in [scratch["store"], data, scratch["store/lock.mdb"]] {
      let before = try mode(path)
      #expect(chmod(path, mode_t(before | 0o020)) == 0)
      #expect(opening() == .unsafePath, "\(path)")
      #expect(chmod(path, mode_t(before)) == 0)
    }
    #expect(opening() == nil)
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser can give files away"))
  func filesOfAnotherUserAreRefused() throws {
    try make()
    for path in [scratch["store"], data] {
      #expect(chown(path, 12345, 12345) == 0)
      #expect(opening() == .unsafePath, "\(path)")
      #expect(chown(path, 0, 0) == 0)
    }
    #expect(opening() == nil)
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may open everything"))
  func whatTheSystemForbidsIsSaid() throws {
    try make()
    #expect(chmod(data, 0) == 0)
    #expect(opening() == .permissionDenied)
  }

  @Test(arguments: [Verification.none, .quick, .full])
  func aTruncatedFileIsRefused(verification: Verification) throws {
    try make()
    let whole = try Data(contentsOf: URL(fileURLWithPath: data))
    let pages = whole.count / 4096
    var refused = 0
    let all: [Int] = (1...pages).flatMap { [$0 * 4096 - 4096, $0 * 4096 - 2000] }
    // The short form cuts in the first pages, in the last ones, and in each fourth of the others.
    let sizes = all.filter { size in
      let page: Int = size / 4096
      let isIncluded = page < 4 || page >= pages - 4 || page % 4 == 0
      return size > 0 && (TestEffort.isLong || isIncluded)
    }
    for size in sizes {
      #expect(truncate(data, off_t(size)) == 0)
      let result = opening { $0.verification = verification }
      #expect(result == .truncated || result == nil, "\(size) of \(whole.count) bytes")
      if result != nil {
        refused += 1
      } else {
        // Only pages without references may be missing.
        #expect(try StoreVerifier.verify(directory: scratch["store"]).entries == 200)
      }
      try whole.write(to: URL(fileURLWithPath: data))
      #expect(chmod(data, 0o600) == 0)
    }
    #expect(refused >= sizes.count - 3)
    #expect(opening() == nil)
  }

  /// Pages taken and given back in one transaction are never written: the file is short and whole.
  @Test func aFileThatIsShortForAGoodReasonOpens() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small(16 << 20))
    let items = try environment.database("items")
    try environment.write { transaction in
      for index in 0..<300 { try transaction.put(items, "kept\(index)", String(repeating: "v", count: 900)) }
    }
    try environment.write { transaction in
      for index in 0..<200 { _ = try transaction.delete(items, "kept\(index)") }
    }
    try environment.write { transaction in
      let keys = (10_000..<12_000).map { "z\($0)" }
      for key in keys { try transaction.put(items, key, String(repeating: "v", count: 3000)) }
      for key in keys { _ = try transaction.delete(items, key) }
    }
    let statistics = try environment.statistics()
    environment.close()
    try #require(statistics.fileSize < (statistics.lastPage + 1) * statistics.pageSize)
    #expect(opening() == nil)
    #expect(try StoreVerifier.verify(directory: scratch["store"]).entries == 100)
    // The same file without a page that is in use is refused.
    #expect(truncate(data, off_t(2 * 4096)) == 0)
    #expect(opening() == .truncated)
  }

  @Test func fixedDamageOfAMetaPageHasItsError() throws {
    try make()
    let whole = try Data(contentsOf: URL(fileURLWithPath: data))
    let cases: [(offset: Int, bytes: [UInt8], LMDBError.Code)] = [
      (16, [1, 2, 3, 4], .notAStore),
      (16, [0xBE, 0xEF, 0xC0, 0xDE], .incompatible),
      (12, [0xDE, 0xC0, 0xEF, 0xBE, 0, 0, 0, 0], .incompatible),
      (20, [2, 0, 0, 0], .versionMismatch),
      (40, [0, 0, 0, 0], .damaged),
      (40, [0, 0x11, 0, 0], .damaged),
      (10, [0, 0], .damaged),
      (44, [0, 0], .damaged),
      (92, [4, 0], .incompatible),
      (32, [0, 0, 0, 0, 0, 0, 0, 0], .damaged),
      (136, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .damaged),
      (144, [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .damaged),
      (144, [0xFF, 0xFF, 0, 0, 0, 0, 0, 0], .damaged),
      (144, [0xFE, 0xFF, 0, 0, 0, 0, 0, 0], .damaged),
    ]
    for page in 0..<2 {
      for (offset, bytes, expected) in cases {
        var damaged = whole
        let start = page * 4096 + offset
        damaged.replaceSubrange(start..<(start + bytes.count), with: bytes)
        try damaged.write(to: URL(fileURLWithPath: data))
        #expect(chmod(data, 0o600) == 0)
        #expect(opening { $0.verification = .none } == expected, "page \(page) offset \(offset)")
        #expect(code { _ = try StoreVerifier.verify(directory: scratch["store"]) } == expected)
      }
    }
    try whole.write(to: URL(fileURLWithPath: data))
    #expect(chmod(data, 0o600) == 0)
    #expect(opening() == nil)
  }

  /// Consistent with each other, so that only their size is wrong.
  @Test func commitNumbersBeyondReasonAreRefused() throws {
    try make()
    var damaged = try Data(contentsOf: URL(fileURLWithPath: data))
    for (page, number) in [(0, UInt64.max - 1), (1, UInt64.max - 2)] {
      let bytes = withUnsafeBytes(of: number.littleEndian) { Data($0) }
      damaged.replaceSubrange((page * 4096 + 144)..<(page * 4096 + 152), with: bytes)
    }
    try damaged.write(to: URL(fileURLWithPath: data))
    #expect(chmod(data, 0o600) == 0)
    #expect(opening { $0.verification = .none } == .damaged)
    #expect(code { _ = try StoreVerifier.verify(directory: scratch["store"]) } == .damaged)
  }

  @Test func aForeignFileIsNotAStore() throws {
    #expect(mkdir(scratch["store"], 0o700) == 0)
    for content in [
      Data("hello".utf8), Data(repeating: 0xFF, count: 8192),
    ] {
      try content.write(to: URL(fileURLWithPath: data))
      #expect(chmod(data, 0o600) == 0)
      let result = opening()
      #expect(result == .notAStore || result == .truncated)
    }
  }

  @Test func databasesWithDuplicatesAreRefused() throws {
    #expect(try Child("make-duplicates", scratch["store"]).finish() == ["made 0"])
    #expect(code { _ = try StoreVerifier.verify(directory: scratch["store"]) } == .incompatible)
    #expect(opening() == .incompatible)
    var options = EnvironmentOptions.small()
    options.verification = .quick
    let environment = try Environment.open(directory: scratch["store"], options: options)
    defer { environment.close() }
    #expect(code { _ = try environment.openDatabases(["items"], create: true) } == .incompatible)
    #expect(code { try environment.write { _ = try $0.openDatabase(named: "items") } } == .incompatible)
    #expect(code { try environment.read { _ = try $0.database(named: "items") } } == .incompatible)
    let other = try environment.database("other")
    try environment.write { try $0.put(other, "a", "1") }
    #expect(try environment.read { try $0.text(other, "a") } == "1")
  }
}
