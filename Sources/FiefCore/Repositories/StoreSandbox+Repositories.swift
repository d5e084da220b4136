import Foundation

extension StoreSandbox {
  /// Creates a sandbox. It takes effect with ``withCurrent(_:_:)`` or ``install()``.
  ///
  /// - Parameters:
  ///   - medium: the medium of its directory.
  ///   - encryption: the key of stores whose repositories specify none; `nil` leaves these stores
  ///     unencrypted.
  ///   - types: the repository types that the sandbox covers; `nil` for all types.
  /// - Throws: ``FiefError`` of code `cannotOpen` if the directory cannot be created.
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

  /// Returns the sandbox that redirects a repository's store, or `nil` if the store is not redirected.
  static func inEffect(for repository: some DatabaseConfigurable) -> StoreSandbox? {
    guard isUsed, !(repository is any SandboxedRepository) else { return nil }
    let type = ObjectIdentifier(repository.describedType)
    return innermost(covering: type)
  }

  /// Returns a closure that runs in the sandboxes of the current task, for use on other threads.
  package static func capturingCurrent<Value>(_ body: @escaping @Sendable () throws -> Value)
    -> @Sendable () throws
    -> Value
  {
    let sandboxes = current
    let managers = ManagerBinding.current
    return { try ManagerBinding.withCurrent(managers) { try withCurrent(sandboxes, body) } }
  }

  /// Closes and removes the stores of the sandbox.
  ///
  /// Afterwards, code that is still in the sandbox gets an error for every store.
  package func end() {
    noteEnd()
    endGuarding()
    uninstall()
    StoreRegistry.shared.close { owns(key: $0) }
    remove()
  }
}

/// A repository whose store is in its own sandbox. No other sandbox redirects it.
package protocol SandboxedRepository: DatabaseConfigurable {
  /// The sandbox of the store.
  var sandbox: StoreSandbox { get }
}
