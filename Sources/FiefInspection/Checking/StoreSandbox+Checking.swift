import FiefCore
import Foundation

extension StoreSandbox {
  /// Checks the consistency of each store of the sandbox, whether it is open or only on disk.
  ///
  /// - Returns: all problems, with the names of their stores.
  package func check() -> [String] {
    var problems: [String] = []
    let open = StoreRegistry.shared.openCores { owns(key: $0) }
    for core in open {
      problems += Self.problems(core.name) {
        try core.read { try StoreChecker(tables: core.tables, transaction: $0).run() }
      }
    }
    let known = Set(open.map(\.directory))
    do {
      for directory in try storeDirectories() where !known.contains(directory) {
        let name = (directory as NSString).lastPathComponent
        problems += Self.problems(name) {
          try StoreOpening.check(directory: directory, store: name, encryption: encryption(of: directory))
        }
      }
    } catch { problems.append("the stores of the test cannot be found: \(error)") }
    return problems
  }

  private static func problems(_ store: String, _ check: () throws -> IntegrityReport) -> [String] {
    do { return try check().problems.map { "\(store): \($0)" } } catch {
      return ["\(store): the store cannot be checked: \(error)"]
    }
  }

  private func storeDirectories() throws -> [String] {
    func children(_ path: String) throws -> [String] {
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue
      else {
        return []
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      return names.sorted().map { StoreLocation.joined(path, $0) }
    }
    return try children(root).flatMap(children).filter {
      FileManager.default.fileExists(atPath: StoreLocation.joined($0, "data.mdb"))
    }
  }
}
