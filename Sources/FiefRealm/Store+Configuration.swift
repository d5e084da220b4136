import Fief
import Foundation

extension Store {
  /// The configuration with which the store was opened.
  ///
  /// If the store was opened through a repository, or if this is the `realm` of an object, the configuration
  /// contains only the location, the version, the classes and `readOnly`. They are sufficient to open another
  /// handle.
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
