import Fief
import FiefConsole
import Foundation

/// The command that loads the package index.
extension PetStoreCommand {
  static func load(_ options: Options, into directory: String, on console: Console) async throws {
    let source = try options.index.map(PackageSource.file) ?? PackageSource.find()
    let store = try PetStore.encrypted(in: directory)
    try store.manager.openAll()
    defer { store.manager.close() }
    let isRefreshing = options.isRefreshing || options.index != nil
    let state = try await store.catalogue.index(source.name, isRefreshing: isRefreshing) {
      console.line("Loading packages from \(source.name).")
      if source.isInstalledOnly {
        console.line("This machine has no package index: using the installed packages.")
      }
      let importer = CatalogueImporter(into: store.catalogue)
      if options.index != nil { return try await importer.run(source, limit: options.packages, on: console) }
      return try await importer.run(source, of: .this, limit: options.packages, on: console)
    }
    for line in state.lines(source.name) { console.line(line) }
  }
}

extension CatalogueRepository.IndexState {
  /// What was done, for people.
  func lines(_ source: String) -> [String] {
    switch self {
    case .read(let report): report.lines()
    case .fresh(let packages, let readAt):
      [
        "The \(Format.count(packages)) packages of \(source) were loaded \(readAt?.formatted(.iso8601) ?? "before"), "
          + "less than a day ago. Use --refresh to load them again."
      ]
    }
  }
}

extension CatalogueImporter.Report {
  /// The result of an import, for people.
  func lines() -> [String] {
    var lines = [
      "\(Format.count(counts.packages)) packages in \(Format.duration(duration)) "
        + "(\(Format.rate(counts.packages, in: duration))): \(Format.count(counts.added)) new, "
        + "\(Format.count(counts.updated)) updated, \(Format.count(counts.unchanged)) unchanged.",
      "\(Format.count(counts.links)) links written, \(Format.bytes(bytes)) of text read.",
    ]
    if problemCount > 0 {
      lines.append("\(Format.count(problemCount)) stanzas were wrong and skipped. The first:")
      lines += problems.map { "  \(Format.printable($0.description))" }
    }
    return lines
  }
}
