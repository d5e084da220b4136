import Fief
import FiefConsole

/// The commands that bring the stores of an application up to date.
public struct MigrationRunner {
  let repositories: [any DatabaseConfigurable]

  /// Makes a runner for the stores of some repositories.
  public init(_ repositories: any DatabaseConfigurable...) { self.repositories = repositories }
}
