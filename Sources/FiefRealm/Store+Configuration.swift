import Fief
import Foundation

extension Store {
  /// The configuration that the store was opened with.
  ///
  /// For a store that a repository has opened, and for one that an object belongs to, it has the location of
  /// the store, its version, its classes and whether it is for reading only: enough to open a further handle.
  public var configuration: Configuration {
    if let configuration = opening as? Configuration { return configuration }
    var configuration = Configuration()
    do {
      let (identifier, isInMemory, isReadOnly, version) = try openedAs()
      if isInMemory {
        configuration.fileURL = nil
        configuration.inMemoryIdentifier = identifier
      } else {
        configuration.fileURL = directory.map {
          URL(fileURLWithPath: $0, isDirectory: false).appendingPathExtension("realm")
        }
      }
      configuration.readOnly = isReadOnly
      configuration.schemaVersion = version
      configuration.objectTypes = try declaredTypes().map(\.type)
    } catch { reportMisuse(error) }
    return configuration
  }
}
