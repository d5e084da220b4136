import Fief
import Foundation
import PetStoreMigrations

/// Makes the fixture stores of a version, or of all, as `DIRECTORY/<domain>/version-<n>`.
///
/// A store that is there already is never regenerated: a fixture is what a build of its time has written.
func makeFixtures(_ arguments: [String]) throws {
  guard let directory = arguments.first, arguments.count <= 2 else { throw FixtureError.usage }
  let version = arguments.count == 2 ? UInt64(arguments[1]) : nil
  if arguments.count == 2, version == nil { throw FixtureError.usage }
  for fixture in Fixture.all where version == nil || fixture.version == version {
    let folder = URL(filePath: directory, directoryHint: .isDirectory).appending(path: fixture.domain)
    let place = folder.appending(path: "version-\(fixture.version)")
    guard !FileManager.default.fileExists(atPath: place.path) else {
      print("\(place.path) is there already")
      continue
    }
    try make(fixture, at: place)
    print("made \(place.path)")
  }
}

/// Makes one store beside its place, compacted, and moves it there.
func make(_ fixture: Fixture, at place: URL) throws {
  let work = FileManager.default.temporaryDirectory.appending(path: "petstore-fixtures-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: work) }
  try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
  let repository = fixture.repository(work.path)
  try repository.write { tx in try fixture.fill(tx) }
  try repository.compact()
  repository.close()
  try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
  for file in ["data.mdb", "store.manifest"] {
    try FileManager.default.moveItem(
      at: work.appending(path: fixture.domain).appending(path: file),
      to: place.appending(path: file)
    )
  }
}

do {
  try makeFixtures(Array(CommandLine.arguments.dropFirst()))
} catch {
  try? FileHandle.standardError.write(contentsOf: Data("petstore-fixtures: \(error)\n".utf8))
  exit(1)
}
