import Fief
import FiefConsole
import FiefMaintenance
import FiefToolKit
import FiefTorture
import Foundation
import LMDB

extension ProducerProcess {
  static func backups(in directory: String) -> String { directory + "/backups" }
  static func imports(in directory: String) -> String { directory + "/imports" }

  /// The names of the backups of a store that are complete.
  static func backups(of store: String, in directory: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: backups(in: directory))) ?? []
    return names.filter { $0.hasPrefix(store + "-") && !$0.contains(".") }.sorted()
  }

  /// Copies a store that producers write to.
  func backUp(_ repository: TortureRepository, _ round: Int) throws {
    let name = "\(repository.name)-\(1_000 + cycle)-\(100 + round)"
    say("begin backup \(repository.name) \(name)")
    try repository.backup(to: "\(Self.backups(in: directory))/\(name)")
    say("done backup \(repository.name) \(name)")
  }

  /// Removes all but two backups of each store. Those of this process stay, since it may restore them.
  func dropBackups() throws {
    for old in ProducerWrite.stores.flatMap({ Self.backups(of: $0, in: directory).dropLast(2) }) {
      say("drop \(old)")
      let path = "\(Self.backups(in: directory))/\(old)"
      // No name of a backup has a dot, and half of one is none.
      try FileManager.default.moveItem(atPath: path, toPath: path + ".dropped")
      try FileManager.default.removeItem(atPath: path + ".dropped")
    }
  }

  // MARK: Alone with a store

  func migrate(_ store: String) throws {
    guard try Store.schemaVersion(at: "\(directory)/\(store)") == 1 else { return }
    say("begin migrate \(store) 2")
    let repository = TortureRepository(store, in: directory, version: 2)
    defer { repository.close() }
    if let error = repository.store().openingError { throw error }
    say("done migrate \(store) 2")
  }

  func restore(_ store: String, _ random: inout TortureRandom) throws {
    let backups = Self.backups(of: store, in: directory)
    guard !backups.isEmpty else { return }
    let name = backups[random.next(backups.count)]
    say("begin restore \(store) \(name)")
    _ = try StoreMaintenance(TortureRepository(store, in: directory)).restore(
      from: "\(Self.backups(in: directory))/\(name)",
      keep: 1
    )
    say("done restore \(store) \(name)")
  }

  func startImport(_ number: Int, _ store: String) throws {
    let file = ProducedImport(number: number, in: Self.imports(in: directory), store: store)
    try FileManager.default.createDirectory(
      atPath: Self.imports(in: directory),
      withIntermediateDirectories: true
    )
    try file.writeFile(version: try Store.schemaVersion(at: "\(directory)/\(store)"))
    say("begin import \(store) \(number)")
    try finish(file, store)
  }

  /// Goes on with an import, or begins it; its store has no other one when it is done.
  func finish(_ file: ProducedImport, _ store: String) throws {
    let version = max(1, try Store.schemaVersion(at: "\(directory)/\(store)"))
    let repository = TortureRepository(store, in: directory, version: version)
    if !file.isOpen {
      // Nothing of this import is there, or all of it and no note that it was.
      try repository.write { transaction in
        if version == 1 {
          try transaction.delete(
            transaction.objects(TortureItem.self).where { $0.id >= ProducedImport.firstID }
          )
        } else {
          try transaction.delete(
            transaction.objects(NewerItem.self).where { $0.id >= ProducedImport.firstID }
          )
        }
      }
    }
    repository.close()
    let output = OwnedLock("")
    let console = Console(terminal: .plain) { text in output.withLock { $0 += text } }
    let status = FiefTool.run(
      ["import", "\(directory)/\(store)", "Item", "--input", file.path] + (file.isOpen ? ["--resume"] : []),
      ToolStreams(io: CommandIO(output: console, error: console), writeOutput: { _ in })
    )
    let text = output.withLock { $0 }.replacing("\n", with: " ")
    guard status == .done else { throw BrokenTest("the import ended with \(status.rawValue): \(text)") }
    say("done import \(store) \(file.number)")
    try FileManager.default.removeItem(atPath: file.path)
  }
}
