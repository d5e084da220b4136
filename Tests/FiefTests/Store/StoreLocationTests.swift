import Fief
import Foundation
import Testing

@testable import FiefCore

@Suite("The location of stores")
struct StoreLocationTests {
  /// A directory of the test's own, with a space and letters outside ASCII in its name.
  static func temporaryDirectory() throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/fief tést \(UUID().uuidString) 宠"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    return path
  }

  static func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("is below XDG_DATA_HOME where that is absolute, else below the home directory")
  func dataDirectory() throws {
    func directory(_ value: String?) throws -> String {
      try StoreLocation.dataDirectory(
        environment: value.map { ["XDG_DATA_HOME": $0] } ?? [:],
        home: "/home/zoë",
        application: "Pet Store"
      )
    }
    #expect(try directory(nil) == "/home/zoë/.local/share/Pet Store")
    #expect(try directory("/data x") == "/data x/Pet Store")
    #expect(try directory("/data/") == "/data/Pet Store")
    #expect(try directory("relative/data") == "/home/zoë/.local/share/Pet Store")
    #expect(try directory("") == "/home/zoë/.local/share/Pet Store")
    for home in ["", "/", "relative"] {
      #expect {
        try StoreLocation.dataDirectory(environment: [:], home: home, application: "a")
      } throws: {
        ($0 as? FiefError)?.code == .cannotOpen
      }
    }
  }

  @Test("is below HOME, whatever the password file says")
  func homeVariable() throws {
    func directory(_ home: String) throws -> String {
      try StoreLocation.dataDirectory(environment: ["HOME": home], home: "/home/zoë", application: "a")
    }
    #expect(try directory("/srv/app") == "/srv/app/.local/share/a")
    for home in ["", "/", "relative"] { #expect(try directory(home) == "/home/zoë/.local/share/a") }
    let path = try StoreLocation.dataDirectory(
      environment: ["HOME": "/srv/app", "XDG_DATA_HOME": "/data"],
      home: "/home/zoë",
      application: "a"
    )
    #expect(path == "/data/a")
  }

  @Test("has the application's name at the end")
  func defaultDirectory() throws {
    let path = try StoreLocation.defaultDirectory()
    let application = (path as NSString).lastPathComponent
    #expect(path.hasPrefix("/") && application != path && !application.isEmpty)
    #if os(Linux)
      #expect(Bundle.main.executableURL?.lastPathComponent == application)
    #endif
  }

  @Test("is created with its parents, for its user alone")
  func create() throws {
    let root = try Self.temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let path = root + "/größe 2/a b/宠物"
    try StoreLocation.createPrivateDirectory(path + "//")
    for part in [path, root + "/größe 2/a b", root + "/größe 2"] { #expect(try Self.mode(part) == 0o700) }
    try StoreLocation.createPrivateDirectory(path)

    try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: path)
    try StoreLocation.createPrivateDirectory(path)
    #expect(try Self.mode(path) == 0o750, "an existing directory is left as it is")
  }

  @Test("is created once, by however many at a time")
  func createTogether() async throws {
    let root = try Self.temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: root) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<32 { group.addTask { try StoreLocation.createPrivateDirectory(root + "/a/b/c/d") } }
      try await group.waitForAll()
    }
    #expect(FileManager.default.fileExists(atPath: root + "/a/b/c/d"))
  }

  @Test("is refused where a file is in the way, naming the path")
  func fileInTheWay() throws {
    let root = try Self.temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: root) }
    try Data().write(to: URL(fileURLWithPath: root + "/file"))
    for path in [
      root + "/file", root + "/file/below", root + "/nul\0", "",
      root + "/" + String(repeating: "x", count: 300),
    ] {
      #expect {
        try StoreLocation.createPrivateDirectory(path)
      } throws: {
        ($0 as? FiefError)?.code == .cannotOpen
          && ($0 as? FiefError)?.path?.hasPrefix(path.isEmpty ? "" : root) == true
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["file"])
  }

  @Test("is removed with its files, but not with directories in it")
  func remove() throws {
    let root = try Self.temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let store = root + "/store ö"
    try StoreLocation.createPrivateDirectory(store)
    for name in ["data.mdb", "lock.mdb", "ö ü", ".hidden"] {
      try Data([1]).write(to: URL(fileURLWithPath: store + "/" + name))
    }
    try StoreLocation.removeDirectory(store)
    #expect(!FileManager.default.fileExists(atPath: store))
    try StoreLocation.removeDirectory(store)

    try StoreLocation.createPrivateDirectory(store + "/photos")
    try Data([1]).write(to: URL(fileURLWithPath: store + "/photos/1"))
    #expect {
      try StoreLocation.removeDirectory(store)
    } throws: {
      ($0 as? FiefError)?.code == .inputOutput && ($0 as? FiefError)?.path == store
    }
    #expect(FileManager.default.fileExists(atPath: store + "/photos/1"))
    try FileManager.default.createSymbolicLink(atPath: root + "/link", withDestinationPath: store + "/photos")
    #expect(throws: FiefError.self) { try StoreLocation.removeDirectory(root + "/link") }
    #expect(FileManager.default.fileExists(atPath: store + "/photos/1"), "a link is not followed")
  }
}
