import Foundation
import LMDB
import Testing

/// Stores in a directory that a group may write to, as on a volume with an `fsGroup`.
@Suite struct GroupDirectoryTests {
  let scratch = Scratch()
  private static let group = 4_242
  private var store: String { scratch["store"] }

  private func mode(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
  }

  private func open(allows: Bool) throws -> Environment {
    var options = EnvironmentOptions.small()
    options.allowsGroupWritableDirectory = allows
    return try Environment.open(directory: store, options: options)
  }

  /// What a process of a user in a group says.
  private func member(_ user: Int, of group: Int, _ flags: String...) throws -> [String] {
    let child = try Child(arguments: ["member", store, "\(user)", "\(group)"] + flags)
    let lines = child.finish()
    #expect(child.end == .exited(0), "\(lines)")
    return lines
  }

  private func makeDirectory(_ mode: mode_t, owner: uid_t = 0) throws {
    #expect(chmod(scratch.path, 0o755) == 0)
    #expect(
      mkdir(store, 0o700) == 0 && chown(store, owner, gid_t(Self.group)) == 0 && chmod(store, mode) == 0
    )
  }

  @Test(
    "the option lets the directory's own group write; others never",
    arguments: ["store", "store/data.mdb"]
  )
  func option(path: String) throws {
    try open(allows: false).close()
    let place = scratch[path]
    let before = mode_t(try mode(place))
    #expect(chown(place, geteuid(), getegid()) == 0 && chmod(place, before | 0o020) == 0)
    let error = #expect(throws: LMDBError.self) { try open(allows: false) }
    #expect(error?.code == .unsafePath && error?.detail?.contains("allowsGroupWritableDirectory") == true)
    #expect(code { _ = try StoreVerifier.verify(directory: store) } == .unsafePath || path != "store")
    let environment = try open(allows: true)
    let items = try environment.database("items")
    try environment.write { try $0.put(items, "a", "1") }
    environment.close()
    #expect(try StoreVerifier.verify(directory: store, allowsGroup: true).entries > 0)
    #expect(chmod(place, before | 0o022) == 0)
    #expect(code { _ = try open(allows: true) } == .unsafePath)
  }

  @Test("files stay private in a directory that is private")
  func privateFiles() throws {
    let environment = try open(allows: true)
    let items = try environment.database("items")
    try environment.write { try $0.put(items, "a", "1") }
    environment.close()
    #expect(try mode(store) & 0o777 == 0o700)
    for name in ["data.mdb", "lock.mdb", "store.manifest"] {
      #expect(try mode(scratch["store/" + name]) == 0o600, "\(name)")
    }
  }

  @Test(
    "users of a group share a store whose directory is another user's, also after a compaction",
    .enabled(if: geteuid() == 0, "only the superuser can become others")
  )
  func sharing() throws {
    try makeDirectory(0o2775)
    #expect(
      try member(1_001, of: Self.group) == [
        "unsafePath owned by another user, and allowsGroupWritableDirectory is false"
      ]
    )
    #expect(try member(1_001, of: Self.group, "allows") == ["keys user1001"])
    for name in ["data.mdb", "lock.mdb", "store.manifest"] {
      #expect(try mode(scratch["store/" + name]) == 0o660, "\(name)")
    }
    #expect(try member(1_002, of: Self.group, "allows") == ["keys user1001,user1002"])
    // The option would not help others.
    let stranger = ["unsafePath owned by another user and a group that this process is not in"]
    #expect(try member(1_003, of: 4_243, "allows") == stranger)
    #expect(try member(1_003, of: 4_243) == stranger)
    // The copy is made beside the directory.
    #expect(chown(scratch.path, 0, gid_t(Self.group)) == 0 && chmod(scratch.path, 0o775) == 0)
    #expect(try member(1_002, of: Self.group, "allows", "compacts") == ["keys user1001,user1002"])
    #expect(try mode(scratch["store/data.mdb"]) == 0o660)
    #expect(try member(1_001, of: Self.group, "allows") == ["keys user1001,user1002"])
    #expect(chmod(store, 0o2777) == 0)
    #expect(try member(1_001, of: Self.group, "allows") == ["unsafePath writable by all users"])
  }

  @Test(
    "a store that was made privately is opened after its volume was given to a group",
    .enabled(if: geteuid() == 0, "only the superuser can become others")
  )
  func mounting() throws {
    try makeDirectory(0o700, owner: 1_001)
    #expect(try member(1_001, of: Self.group, "allows") == ["keys user1001"])
    #expect(try mode(scratch["store/data.mdb"]) == 0o600)
    // As Kubernetes does it when it mounts a volume.
    #expect(chmod(store, 0o2770) == 0)
    for name in ["data.mdb", "lock.mdb", "store.manifest"] {
      #expect(chown(scratch["store/" + name], 1_001, gid_t(Self.group)) == 0)
      #expect(chmod(scratch["store/" + name], 0o660) == 0)
    }
    #expect(try member(1_001, of: Self.group).first?.hasPrefix("unsafePath writable by its group") == true)
    #expect(try member(1_001, of: Self.group, "allows") == ["keys user1001"])
    #expect(try member(1_005, of: Self.group, "allows") == ["keys user1001,user1005"])
  }
}
