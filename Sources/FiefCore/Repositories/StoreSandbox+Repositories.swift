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
  package static func capturingCurrent<Value>(_ body: @escaping @Sendable () throws -> Value)
    -> @Sendable () throws
    -> Value
  {
    let sandboxes = current
    let managers = ManagerBinding.current
    return { try ManagerBinding.withCurrent(managers) { try withCurrent(sandboxes, body) } }
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
}

/// A repository whose store is in a sandbox of its own; no other one redirects it.
package protocol SandboxedRepository: DatabaseConfigurable {
  /// The sandbox that the store is in.
  var sandbox: StoreSandbox { get }
}
