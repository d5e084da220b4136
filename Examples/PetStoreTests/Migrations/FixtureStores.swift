import Fief
import Foundation
import PetStoreMigrations
import Testing

/// The stores of old versions that are kept beside the tests.
enum FixtureStores {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "Tests/Fixtures/Stores", directoryHint: .isDirectory)

  /// The versions of a domain that there is a store of.
  static func versions(of domain: String) throws -> [UInt64] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: domain).path)
      .compactMap { name in name.hasPrefix("version-") ? UInt64(name.dropFirst("version-".count)) : nil }
      .sorted()
  }

  /// Runs a body with a directory that has a copy of one fixture, and nothing else.
  static func with<T>(_ domain: String, version: UInt64, _ body: (String) throws -> T) throws -> T {
    try with([domain], version: version, body)
  }

  /// Runs a body with a directory that has a copy of one fixture, and nothing else.
  static func with<T>(_ domain: String, version: UInt64, _ body: (String) async throws -> T) async throws -> T
  {
    let directory = try directory(of: [domain], version: version)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory.path(percentEncoded: false))
  }

  /// Runs a body with a directory that has copies of the fixtures of several domains.
  static func with<T>(_ domains: [String], version: UInt64, _ body: (String) throws -> T) throws -> T {
    let directory = try directory(of: domains, version: version)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory.path(percentEncoded: false))
  }

  private static func directory(of domains: [String], version: UInt64) throws -> URL {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "petstore fixtures ü \(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for domain in domains {
      try copy(
        root.appending(path: domain).appending(path: "version-\(version)"),
        to: directory.appending(path: domain, directoryHint: .isDirectory)
      )
    }
    return directory
  }

  private static func copy(_ fixture: URL, to place: URL) throws {
    try FileManager.default.copyItem(at: fixture, to: place)
    // A checkout has the modes of the user who made it; a store is its user's alone.
    try set(0o700, of: place)
    for file in try FileManager.default.contentsOfDirectory(atPath: place.path) {
      try set(0o600, of: place.appending(path: file))
    }
  }

  private static func set(_ mode: Int, of file: URL) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
  }

  /// The path of an old store to the newest version.
  enum Way: CaseIterable, CustomTestStringConvertible {
    /// All steps at once, in one commit.
    case atOnce
    /// Opened at every version in between.
    case stepwise

    var testDescription: String { self == .atOnce ? "at once" : "step by step" }
  }

  /// Opens a store of version 1 at version 2 first, if it goes step by step.
  static func prepare(
    _ way: Way,
    _ domain: String,
    _ second: any MigrationStep.Type,
    in directory: String
  ) throws {
    guard way == .stepwise else { return }
    let repository = VersionRepository(domain, at: second, in: directory, plan: MigrationPlan([second]))
    try check(repository, version: second.version)
    repository.close()
  }

  /// Opens a store, and expects that it has a version and that everything in it agrees.
  static func check(
    _ repository: some DatabaseConfigurable,
    version: UInt64,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try repository.check().problems == [], sourceLocation: location)
    #expect(try repository.overview().schemaVersion == version, sourceLocation: location)
  }
}
