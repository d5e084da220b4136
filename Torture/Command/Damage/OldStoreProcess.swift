import Fief
import FiefTorture
import Foundation
import PetStoreKit
import PetStoreMigrations

/// A process that damages copies of the stores that old versions of the example have written, and uses each: by its catalogue as
/// it is, or migrated by the application's newest repository.
struct OldStoreProcess: DamageRole {
  /// A store of an old version, and its answers where nothing is damaged.
  struct OldStore {
    let domain: String
    let name: String
    let files: [String: [UInt8]]
    /// The records whose checksums do not cover their keys: those of formats before 6, and those with derived properties that one store
    /// has from a build that did not cover them.
    let uncovered: AnswerCount.Uncovered
    let old: CatalogueReadings
    let oldAnswers: [StoreReadings.Answer]
    let newest: CatalogueReadings
    /// The answers of the migrated store, what its changes came to, and the answers after these.
    let newestAnswers: [[StoreReadings.Answer]]
  }

  private let directory: String
  private let fixtures: String
  private(set) var stores: [OldStore] = []

  init(_ directory: String, _ arguments: Arguments) throws {
    guard let fixtures = arguments.text("fixtures") else {
      throw BrokenTest("--fixtures DIRECTORY is missing")
    }
    self.directory = directory
    self.fixtures = fixtures
    stores = try prepare()
    guard !stores.isEmpty else { throw BrokenTest("\(fixtures) has no stores") }
  }

  private func prepare() throws -> [OldStore] {
    try FileManager.default.contentsOfDirectory(atPath: fixtures).sorted().flatMap { domain in
      try FileManager.default.contentsOfDirectory(atPath: "\(fixtures)/\(domain)").sorted().map { version in
        try prepare(domain, "\(fixtures)/\(domain)/\(version)", name: "\(domain) \(version)")
      }
    }
  }

  private func prepare(_ domain: String, _ path: String, name: String) throws -> OldStore {
    var files: [String: [UInt8]] = [:]
    for file in ["data.mdb", "store.manifest"] { files[file] = try StoreFiles.read("\(path)/\(file)") }
    let place = try put(files, domain)
    let old = try Self.withStore(place) { store in
      var readings = try CatalogueReadings(store)
      let answers = readings.answers(of: store)
      readings.note(answers)
      return (readings, answers, store.formatVersion)
    }
    // Migrated twice: what the two have in common does not depend on chance.
    try migrate(domain)
    try StoreFiles.remove("\(directory)/first")
    try FileManager.default.moveItem(atPath: place, toPath: "\(directory)/first")
    _ = try put(files, domain)
    try migrate(domain)
    let newest = try Self.withStore(place, isReadOnly: false) { store in
      var readings = try CatalogueReadings(store)
      try Self.withStore("\(directory)/first") { try readings.keepEqual($0, store) }
      let answers = [readings.answers(of: store), readings.change(store), readings.answers(of: store)]
      readings.note(answers[0])
      readings.note(answers[2])
      return (readings, answers)
    }
    return OldStore(
      domain: domain,
      name: name,
      files: files,
      uncovered: old.2 < 6
        ? .all : name == "catalogue version-5" ? .types(["Maintainer", "Package"]) : .none,
      old: old.0,
      oldAnswers: old.1,
      newest: newest.0,
      newestAnswers: newest.1
    )
  }

  func put(_ files: [String: [UInt8]], _ domain: String) throws -> String {
    let place = "\(directory)/\(domain)"
    try StoreFiles.put(files, in: place)
    return place
  }

  static func withStore<Value>(
    _ place: String,
    isReadOnly: Bool = true,
    encryption: StoreEncryption? = nil,
    _ body: (DynamicStore) throws -> Value
  ) throws -> Value {
    let store = try DynamicStore(
      directory: place,
      isReadOnly: isReadOnly,
      verification: .automatic,
      encryption: encryption
    )
    defer { store.close() }
    return try body(store)
  }

  /// The newest repository of a domain.
  private func repository(_ domain: String) throws -> NewestRepository {
    let applications: [String: any DatabaseConfigurable] = [
      "ads": AdRepository(identifier: "torture"), "auth": AuthRepository(directory: nil),
      "catalogue": CatalogueRepository(directory: nil), "payments": PaymentsRepository(directory: nil),
      "pets": PetRepository(directory: nil),
    ]
    guard let application = applications[domain] else {
      throw BrokenTest("the example has no domain \(domain)")
    }
    var repository = NewestRepository(domain, like: application, in: directory)
    repository.storeOptions.clock = { Date(timeIntervalSinceReferenceDate: 800_000_000) }
    repository.storeOptions.eventOutput = .silent
    return repository
  }

  /// Opens the store with the newest repository.
  func migrate(_ domain: String, isWhole: Bool = true) throws {
    var repository = try repository(domain)
    if !isWhole { repository.storeOptions.wholeVerificationBytes = 0 }
    defer { repository.close() }
    try repository.open()
  }
}
