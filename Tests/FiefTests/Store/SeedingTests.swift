import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// Stores that begin with a file, where an opening before them was ended early.
@Suite struct SeedingTests {
  private let directory: TemporaryDirectory
  private var place: String { directory["stores/books"] }

  init() throws {
    directory = try TemporaryDirectory()
    let source = WriteRepository(realmMemoryType: .inStorage, directory: directory["seed"])
    try source.saveNow([WriteBook("seed")])
    source.close()
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(
      atPath: place,
      withIntermediateDirectories: true,
      attributes: attributes
    )
  }

  private var repository: WriteRepository {
    var repository = WriteRepository(realmMemoryType: .inStorage, directory: directory["stores"])
    repository.storeOptions.seedFile = directory["seed/books"]
    return repository
  }

  private func put(_ bytes: Data) throws {
    try bytes.write(to: URL(fileURLWithPath: place + "/data.mdb"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place + "/data.mdb")
  }

  private var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory["stores"]).sorted()) ?? []
  }

  /// The file as LMDB makes it, before the first commit.
  private func firstFile() throws -> Data {
    let environment = try LMDB.Environment.open(directory: directory["first"], options: EnvironmentOptions())
    environment.close()
    return try Data(contentsOf: URL(fileURLWithPath: directory["first/data.mdb"])).prefix(8192)
  }

  @Test(arguments: 0..<4) func aFileThatNeverWasAStoreIsNone(_ kind: Int) throws {
    let first = try firstFile()
    try put([Data(), first.prefix(4096), Data(count: 4096) + first.suffix(4096), first][kind])
    #expect(repository.isbns == ["seed"])
    #expect(files == ["books"])
    try repository.saveNow([WriteBook("own")])
    repository.closeChecked()
    #expect(repository.isbns == ["own", "seed"])
    repository.closeChecked()
  }

  @Test func aStoreIsLeftAlone() throws {
    var own = repository
    own.storeOptions.seedFile = nil
    try own.saveNow([WriteBook("own")])
    own.close()
    #expect(repository.isbns == ["own"])
    repository.closeChecked()
  }

  @Test func aFileThatIsSomethingElseIsLeftAlone() throws {
    try put(Data(repeating: 7, count: 9000))
    #expect(repository.store().openingError?.code == .damagedStore)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: place + "/data.mdb")) == Data(repeating: 7, count: 9000)
    )
  }

  @Test(arguments: [false, true]) func theCopyOfAKilledSeedingGoesWithTheNextOpening(hasStore: Bool) throws {
    if hasStore {
      #expect(repository.isbns == ["seed"])
      repository.close()
    }
    let left = ScratchDirectory.path(beside: place, for: .seed)
    try FileManager.default.copyItem(atPath: directory["seed/books"], toPath: left)
    #expect(files == [".seeding-books", "books"])
    #expect(repository.isbns == ["seed"])
    #expect(files == ["books"])
    repository.closeChecked()
  }
}
