import Foundation

extension StoreSandbox {
  /// Makes a sandbox; it takes effect with ``withCurrent(_:_:)`` or ``install()``.
  ///
  /// - Parameters:
  ///   - medium: the medium of its directory.
  ///   - encryption: the key of stores whose repositories name none; nil leaves them in clear.
  ///   - types: the repository types that it covers; nil is all of them.
  /// - Throws: ``FiefError`` of code `cannotOpen` where its directory cannot be created.
  package convenience init(
    medium: Medium,
    encryption: StoreEncryption? = nil,
    covering types: [any DatabaseConfigurable.Type]? = nil
  ) throws(FiefError) {
    try self.init(
      medium: medium,
      encryption: encryption,
      types: types.map { Set($0.map { ObjectIdentifier($0) }) }
    )
    if types == nil { beginGuarding() }
  }

  /// The sandbox that a repository's store is in, nil where it is where the repository says.
  static func inEffect(for repository: some DatabaseConfigurable) -> StoreSandbox? {
    guard isUsed, !(repository is any SandboxedRepository) else { return nil }
    let type = ObjectIdentifier(repository.describedType)
    return innermost(covering: type)
  }

  /// The closure in the sandboxes of the current task, for a thread that is not the task's.
  static func capturingCurrent<Value>(_ body: @escaping @Sendable () throws -> Value)
    -> @Sendable () throws
    -> Value
  {
    let sandboxes = current
    let managers = ManagerBinding.current
    return { try ManagerBinding.withCurrent(managers) { try withCurrent(sandboxes, body) } }
  }

  /// Compares everything in each store of the sandbox: in those that are open, and in those on disk that
  /// are not.
  ///
  /// - Returns: every problem, with the name of its store.
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

  /// Closes the stores of the sandbox and removes them.
  ///
  /// Code that is still in the sandbox afterwards gets an error for every store.
  package func end() {
    noteEnd()
    endGuarding()
    uninstall()
    StoreRegistry.shared.close { owns(key: $0) }
    remove()
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

/// A repository whose store is in a sandbox of its own; no other one redirects it.
package protocol SandboxedRepository: DatabaseConfigurable {
  /// The sandbox that the store is in.
  var sandbox: StoreSandbox { get }
}
